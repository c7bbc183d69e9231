import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { ThreadSchedule } from '../../../data/threads/schedule.ts';
import { forced as schedule } from '../../../predictor/threads/schedules.ts';
import type { ThreadReply, ThreadSpec } from '../../../rescheduler/tokens/protocol.ts';
import { Bundled, predicted } from './bundled.ts';

const FILE = new URL('./fixtures/loops.ts', import.meta.url);
const bundled = new Bundled();
after(() => bundled.close());

const run = (
  name: string,
  spec: ThreadSpec = { kind: 'observed' },
  watchdogMs?: number,
): Promise<ThreadReply> => bundled.run(FILE, name, spec, true, watchdogMs);
const forced = (schedule: Partial<ThreadSchedule>): ThreadSpec => ({
  kind: 'directed',
  schedule: { grants: [], expected: null, ...schedule },
});
const random = async (name: string, seeds: number): Promise<ThreadReply[]> => {
  const replies: ThreadReply[] = [];
  for (let seed = 0; seed < seeds; seed++) replies.push(await run(name, { kind: 'random', seed }));
  return replies;
};
const outcomes = (replies: readonly ThreadReply[]) =>
  [...new Set(replies.map(({ ran }) => ran.outcome))].sort();

describe('an asynchronous body', () => {
  it('gives other threads the token between its turns, and takes it for the choice of the next', async () => {
    const { ran, trace } = await run('deposits');
    assert.equal(ran.outcome, 'pass');
    assert.equal(trace!.names.entities[0], 'balance');
    const read = /loop: D:root\|(fs\.open|fs\.readFile)#1 — \1 \S*loops\.ts answers/;
    assert.match(trace!.names.channels.join(), read);
    // The first reads; the other one goes through; the first goes on.
    const lost = (await run('deposits', forced({ grants: [0, 2, 1, 30] }))).ran;
    assert.equal(lost.outcome, 'fail');
    assert.match(lost.failure!.message, /10 !== 30/);
  });

  it('fails in random schedules, and again by what they took; its repaired twin does not fail', async () => {
    const failed = (await random('deposits', 24)).filter(({ ran }) => ran.outcome === 'fail');
    assert.ok(failed.length > 0);
    for (const { ran } of failed) {
      const again = (await run('deposits', forced({ grants: ran.taken, deliveries: ran.deliveries }))).ran;
      assert.deepEqual([again.outcome, again.followed, again.traceHash], ['fail', 'followed', ran.traceHash]);
    }
    assert.deepEqual(outcomes(await random('safe deposits', 24)), ['pass']);
  });

  it('gives one trace for one schedule, however often it is repeated', async () => {
    const hashes = new Set<string>();
    for (let i = 0; i < 200; i++)
      hashes.add((await run('deposits', forced({ grants: [0, 3, 1, 2, 0, 2] }))).ran.traceHash);
    assert.equal(hashes.size, 1);
  });

  it('is through when nothing is left to do', async () => {
    assert.equal((await run('work that nobody awaits')).ran.outcome, 'pass');
    assert.deepEqual(outcomes(await random('work that nobody awaits', 12)), ['pass']);
    assert.equal((await run('goes on behind its body')).trace!.events.op.filter((op) => op === 1).length, 3);
  });
});

describe('a file of several threads', () => {
  it('is an entity like a place in memory: a race for it is predicted', async () => {
    const { ran, trace } = await run('a file between threads');
    assert.equal(ran.outcome, 'pass');
    const ends: string[] = [];
    for (const found of predicted(trace!)) {
      assert.match(found.entity, /^fs:.*count \(content\)$/);
      const spec: ThreadSpec = { kind: 'directed', schedule: schedule(trace!, found) };
      const { outcome, followed } = (await run('a file between threads', spec)).ran;
      ends.push(`${found.pattern} ${outcome} ${followed}`);
    }
    assert.match(ends.join(), /R[RW]W fail followed/);
  });
});

describe('the order of deliveries in one thread', () => {
  it('is part of a schedule: chance finds a bug that no switch of threads shows', async () => {
    assert.equal((await run('another order of answers')).ran.outcome, 'pass');
    const [found] = (await random('another order of answers', 12)).filter(
      ({ ran }) => ran.outcome === 'fail',
    );
    const { deliveries, taken } = found!.ran;
    const again = (await run('another order of answers', forced({ grants: taken, deliveries }))).ran;
    assert.deepEqual([again.outcome, again.traceHash], ['fail', found!.ran.traceHash]);
    // Without them the same grants pass.
    assert.equal((await run('another order of answers', forced({ grants: taken }))).ran.outcome, 'pass');
  });
});

describe('time in several event loops', () => {
  it('runs backwards for nobody; without the rule it does', async () => {
    assert.deepEqual(outcomes([await run('clock'), ...(await random('clock', 12))]), ['pass']);
    const { ran } = await run('clock', { kind: 'observed', without: ['clock'] });
    assert.deepEqual([ran.outcome, ran.failure?.name], ['fail', 'AssertionError']);
  });

  it('passes in one only as far as another one can be late; without the rule it leaps over it', async () => {
    assert.deepEqual(outcomes([await run('pace'), ...(await random('pace', 24))]), ['pass']);
    const late = forced({ grants: [1, 1] });
    assert.deepEqual(
      [(await run('pace', late)).ran].map(({ followed, outcome }) => [followed, outcome]),
      [['infeasible', 'pass']],
    );
    assert.equal((await run('pace', { ...late, without: ['pace'] })).ran.outcome, 'fail');
  });

  it('is as long as timers say', async () => {
    for (const name of ['sleeps as long as it says', 'waits for a sleeper', 'does not wait so long'])
      assert.deepEqual([name, outcomes([await run(name), ...(await random(name, 24))])], [name, ['pass']]);
  });
});

describe('Atomics.waitAsync', () => {
  it('is told by other threads in the turn that comes for it, before what is due later', async () => {
    const name = 'waits asynchronously';
    assert.deepEqual(outcomes([await run(name), ...(await random(name, 24))]), ['pass']);
  });
  it('ends by time, and is a deadlock where nobody is left', async () => {
    const { ran } = await run('is told by nobody');
    assert.deepEqual([ran.outcome, ran.waits.length], ['deadlock', 1]);
  });
});

describe('a body that does not come to a good end', () => {
  const twice = async (name: string, watchdogMs?: number) => {
    const replies = [
      await run(name, undefined, watchdogMs),
      await run(name, { kind: 'random', seed: 7 }, watchdogMs),
    ];
    return replies.map(({ ran }) => [ran.outcome, ran.failure?.message ?? '', ran.waits.join()].join(' | '));
  };
  const verdicts: Readonly<Record<string, RegExp>> = {
    rejects: /^fail \| no/,
    'throws in a timer': /^fail \| late/,
    'never settles': /^deadlock \| .* \| a waits for other threads/,
    exits: /^fail \| a: it exited with code 3/,
  };
  for (const [name, verdict] of Object.entries(verdicts))
    it(name, async () => {
      for (const told of await twice(name)) assert.match(told, verdict);
    });
  it('spins', async () => {
    assert.match((await twice('spins', 300)).join(), /^unknown \| the threads did not end in time/);
  });
  it('and the next one runs', async () => {
    assert.equal((await run('is through')).ran.outcome, 'pass');
  });
});
