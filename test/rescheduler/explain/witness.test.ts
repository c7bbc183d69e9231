import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTHING_ASSUMED, type RunResult } from '../../../data/run.ts';
import { witnessSentence } from '../../../report/witness.ts';
import { witnessOf } from '../../../rescheduler/explain/witness.ts';
import { plainFailure } from '../../../rescheduler/failure.ts';
import { withoutAnswer } from '../../../rescheduler/subjects/no-answer.ts';
import type { ExecuteOptions, Subject } from '../../../rescheduler/subjects/protocol.ts';
import type { WitnessPlan } from '../../../rescheduler/witness/plan.ts';
import { TraceBuilder } from '../../predictor/trace-builder.ts';

const failed = (name: string): RunResult => withoutAnswer('fail', plainFailure('exception', name, 'x'), 1);
const passed: RunResult = { ...failed('no'), outcome: 'pass', failure: null };

/** An order in which a socket answers late. */
const SOCKET = (() => {
  const t = new TraceBuilder();
  t.begin(0);
  const [read, timer] = [t.issue('external', 'read'), t.issue('timer', 'timer', 50)];
  t.deliver(timer);
  t.deliver(read);
  return t.build();
})();

/** An order in which a file is answered behind a timer. */
const FILES = (() => {
  const t = new TraceBuilder();
  t.begin(0);
  const [read, timer] = [t.issue('pool', 'read'), t.issue('timer', 'timer', 50)];
  t.effect(read);
  t.deliver(timer);
  t.deliver(read);
  return t.build();
})();

/** So many runs are wanted, and there is time for them. */
const runs = (of: number) => ({ of, options: {} as ExecuteOptions, isOver: () => false });

/** The witness of a failure called `Lost`, where plain runs go as given. */
function witness(
  late: readonly RunResult[],
  control: RunResult = passed,
  assumed = NOTHING_ASSUMED,
  failing = new TraceBuilder().build(),
) {
  const left = [...late];
  const subject = {
    executePlain: async (plan: unknown) => (plan === null ? control : (left.shift() as RunResult)),
  } as unknown as Subject;
  return witnessOf(subject, failing, failed('Lost'), assumed, runs(late.length));
}

test('only failures like the confirmed one count', async () => {
  assert.deepEqual(await witness([failed('Lost'), failed('Other'), passed, failed('Lost')]), {
    ratio: '2/4',
    why: null,
  });
});

test('where the control fails nothing is claimed', async () => {
  const { ratio, why } = (await witness([failed('Lost')], failed('Red'))) ?? {};
  assert.equal(ratio, null);
  assert.match(String(why), /does not pass there with nothing late \(Red/);
});

test('nor where the order rests on calls that are only assumed to be I/O, or none was asked for', async () => {
  assert.equal((await witness([failed('Lost')], passed, { late: false, io: true }))?.ratio, null);
  assert.equal(await witness([]), null);
});

test('where few fail alike, what stands against it is said', async () => {
  const { why } = (await witness([passed, failed('Lost'), passed], passed, NOTHING_ASSUMED, SOCKET)) ?? {};
  assert.match(String(why), /needs external late/);
  assert.equal((await witness([failed('Lost')], passed, NOTHING_ASSUMED, SOCKET))?.why, null);
});

test('one control that fails is tried again, and delays grow where a run did not fail', async () => {
  const controls = [failed('Slow'), passed, passed];
  const plans: WitnessPlan[] = [];
  const subject = {
    executePlain: async (plan: WitnessPlan | null) => {
      if (plan === null) return controls.shift() as RunResult;
      plans.push(plan);
      return plans.length === 1 ? passed : failed('Lost');
    },
  } as unknown as Subject;
  const found = await witnessOf(subject, FILES, failed('Lost'), NOTHING_ASSUMED, runs(2));
  assert.equal(found?.ratio, '1/2');
  const last = ({ requests }: WitnessPlan): number => requests.at(-1)!.deliver.at;
  assert.ok(last(plans[1]!) > last(plans[0]!));
});

test('a stuck test is one that has to be ended', async () => {
  const stuck = { ...failed('Deadlock'), outcome: 'deadlock' } as const;
  const ended = withoutAnswer('unknown', plainFailure('timeout', 'Timeout', 'x'), 1);
  const subject = {
    executePlain: async (plan: WitnessPlan | null, { limits }: ExecuteOptions) => {
      assert.equal(limits.watchdogMs, plan ? 2000 : 30_000);
      return plan ? ended : passed;
    },
  } as unknown as Subject;
  const limits = { watchdogMs: 30_000 };
  const options = { limits } as ExecuteOptions;
  const found = await witnessOf(subject, FILES, stuck, NOTHING_ASSUMED, { ...runs(2), options });
  assert.equal(found?.ratio, '2/2');
});

test('in words', () => {
  assert.equal(witnessSentence({ ratio: '1/10', why: 'so' }), 'also fails on plain Node 1 of 10: so');
  assert.equal(witnessSentence({ ratio: '9/10', why: null }), 'also fails on plain Node 9 of 10');
  assert.equal(
    witnessSentence({ ratio: '0/10', why: null }),
    'did not fail on plain Node in 10 runs with these answers late',
  );
  assert.equal(witnessSentence({ ratio: null, why: 'because' }), 'no witness on plain Node: because');
});
