import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '../../cli/stages/context.ts';
import { witnessOf } from '../../cli/stages/witness.ts';
import { NOTHING_ASSUMED, type RunResult } from '../../data/run.ts';
import { witnessSentence } from '../../report/witness.ts';
import { plainFailure } from '../../rescheduler/failure.ts';
import { withoutAnswer } from '../../rescheduler/subjects/no-answer.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import { TraceBuilder } from '../predictor/trace-builder.ts';

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
  const context = { options: { witness: late.length }, over: false, under: () => ({}) } as unknown as Context;
  return witnessOf(context, subject, failing, failed('Lost'), assumed);
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

test('a stuck test case never ends there', async () => {
  const stuck = { ...failed('Deadlock'), outcome: 'deadlock' } as const;
  const context = { options: { witness: 2 } } as unknown as Context;
  const subject = { kind: 'node-test' } as Subject;
  const found = await witnessOf(context, subject, new TraceBuilder().build(), stuck, NOTHING_ASSUMED);
  assert.equal(found?.ratio, null);
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
