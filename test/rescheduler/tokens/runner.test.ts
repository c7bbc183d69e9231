import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pctPlan } from '../../../rescheduler/strategies/pct.ts';
import { loaderConfigOf } from '../../../rescheduler/subjects/config.ts';
import type { ThreadReply, ThreadSpec } from '../../../rescheduler/tokens/protocol.ts';
import { ThreadSubject } from '../../../rescheduler/tokens/subject.ts';

const FILE = fileURLToPath(new URL('./fixtures/programs.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const config = loaderConfigOf({ cwd: ROOT });
const subjects = new Map<string, ThreadSubject>();

/** One execution of a program of the fixture; all of one program share a process. */
function run(
  name: string,
  spec: ThreadSpec = { kind: 'observed' },
  record = false,
  watchdogMs = 60_000,
): Promise<ThreadReply> {
  const subject = subjects.get(name) ?? new ThreadSubject(FILE, name, config);
  subjects.set(name, subject);
  return subject.execute(spec, { watchdogMs }, record);
}
const forced = (...grants: number[]): ThreadSpec => ({
  kind: 'directed',
  schedule: { grants, expected: null },
});
after(() => Promise.all([...subjects.values()].map((subject) => subject.close())));

describe('a schedule of threads', () => {
  it('is followed step by step', async () => {
    assert.equal((await run('lost update')).ran.outcome, 'pass');
    const { ran, trace } = await run('lost update', forced(0, 1, 1, 2, 0, 1), true);
    assert.deepEqual([ran.outcome, ran.followed], ['fail', 'followed']);
    assert.deepEqual(ran.taken, [0, 1, 1, 2, 0, 1]);
    assert.deepEqual(trace?.names.entities, ['words[1]']);
  });

  it('gives one trace, however often it is repeated', async () => {
    const hashes = new Set<string>();
    for (let i = 0; i < 100; i++) hashes.add((await run('lost update', forced(0, 1, 1, 2))).ran.traceHash);
    assert.equal(hashes.size, 1);
  });

  const byChance: Record<string, (seed: number) => ThreadSpec> = {
    'a random one': (seed) => ({ kind: 'random', seed }),
    'one by priorities': (seed) => ({ kind: 'pct', ...pctPlan(seed, 4) }),
  };
  for (const [name, spec] of Object.entries(byChance))
    it(`is repeated by what ${name} took, which sometimes fails`, async () => {
      let failed = 0;
      for (let seed = 0; seed < 20; seed++) {
        const { ran } = await run('lost update', spec(seed));
        assert.equal((await run('lost update', spec(seed))).ran.traceHash, ran.traceHash);
        if (ran.outcome === 'pass') continue;
        failed += 1;
        const again = await run('lost update', forced(...ran.taken));
        assert.deepEqual([again.ran.followed, again.ran.traceHash], ['followed', ran.traceHash]);
      }
      assert.ok(failed > 0 && failed < 20, `${failed} of 20`);
    });

  it('may have tens of thousands of switches', async () => {
    const grants = Array.from({ length: 40_000 }, (_, i) => [i % 2, 2]).flat();
    const first = await run('counts', forced(...grants), true);
    assert.deepEqual([first.ran.outcome, first.ran.followed], ['pass', 'followed']);
    assert.ok(first.ran.switches >= 39_000);
    const again = await run('counts', forced(...grants));
    assert.equal(again.ran.events, 80_004);
    assert.equal(again.ran.traceHash, first.ran.traceHash);
  });

  it('is infeasible exactly where a thread cannot go on', async () => {
    const { ran } = await run('guarded', forced(0, 1, 1, 1, 0, 3));
    assert.deepEqual([ran.outcome, ran.followed, ran.divergence], ['pass', 'infeasible', 'grant 2']);
  });

  it('diverges exactly where a thread has ended', async () => {
    const { ran } = await run('lost update', forced(0, 2, 0, 1, 1, 2));
    assert.deepEqual([ran.followed, ran.divergence], ['diverged', 'grant 2']);
  });

  it('ends in a deadlock at once, told by who waits for whom', async () => {
    for (let i = 0; i < 20; i++) {
      const { ran } = await run('abba', forced(0, 1, 1, 1), true);
      assert.equal(ran.outcome, 'deadlock');
      assert.equal(ran.waits.length, 2);
      assert.match(ran.waits[0]!, /^a waits for .*, held by b \(/);
      assert.match(ran.waits[1]!, /^b waits for .*, held by a \(/);
    }
    assert.equal((await run('abba')).ran.outcome, 'pass');
  });

  it('ends in a deadlock, whatever its threads throw while they are stopped', async () => {
    const { ran } = await run('abba, cleaning up', forced(0, 1, 1, 1));
    assert.deepEqual([ran.outcome, ran.failure?.name], ['deadlock', 'Deadlock']);
  });
});

describe('methods of arrays and views of data', () => {
  it('do what they do without control', async () => {
    assert.equal((await run('methods')).ran.outcome, 'pass');
  });
  it('access one element after the other', async () => {
    assert.equal((await run('method by method')).ran.outcome, 'pass');
    const { ran } = await run('method by method', forced(0, 1, 1, 4, 0, 1));
    assert.deepEqual([ran.outcome, ran.followed], ['fail', 'followed']);
  });
});

describe('waiting threads', () => {
  it('that look at a flag between other accesses are not mistaken for idle ones', async () => {
    assert.equal((await run('flag', { kind: 'random', seed: 3 })).ran.outcome, 'pass');
  });
  it('that spin let others run, who may read as often as they like', async () => {
    assert.equal((await run('spins')).ran.outcome, 'pass');
  });
  it('time out in virtual time, the earliest first', async () => {
    const { ran } = await run('time-outs');
    assert.equal(ran.outcome, 'pass');
  });
  it('are woken first in, first out', async () => {
    assert.equal((await run('first in, first out')).ran.outcome, 'pass');
  });
});

describe('a thread', () => {
  it('that throws fails the run, and the pool goes on', async () => {
    for (let i = 0; i < 2; i++) {
      const { ran, reusable } = await run('throws');
      assert.deepEqual([ran.outcome, ran.failure?.message, reusable], ['fail', 'from a', true]);
    }
  });
  it('that exits fails the run, and the next one has a pool again', async () => {
    for (let i = 0; i < 2; i++) {
      const { ran } = await run('exits');
      assert.deepEqual([ran.outcome, ran.failure?.message], ['fail', 'a: it exited with code 3']);
    }
  });
  it('that never ends is given up, and the next run has a pool again', async () => {
    const { ran, reusable } = await run('endless', undefined, false, 500);
    assert.deepEqual([ran.outcome, ran.failure?.name, reusable], ['unknown', 'Timeout', false]);
    assert.equal((await run('endless', { kind: 'random', seed: 1 }, false, 500)).ran.outcome, 'unknown');
    assert.equal((await run('endless', { kind: 'free' }, true, 500)).ran.outcome, 'unknown');
  });
  it('that throws or exits with a lock leaves nobody behind', async () => {
    for (let i = 0; i < 2; i++) {
      assert.equal((await run('throws with a lock')).ran.failure?.message, 'from a');
      assert.match((await run('exits with a lock')).ran.failure?.message ?? '', /^a: it exited with code 3/);
    }
  });
  it('that ends its process fails the run, and the next one has a process again', async () => {
    for (let i = 0; i < 2; i++) {
      const { ran, reusable } = await run('kills its process');
      assert.deepEqual([ran.outcome, reusable], ['fail', false]);
      assert.match(ran.failure?.message ?? '', /SIGKILL/);
    }
  });
  it('that goes on when it is told to stop is ended', async () => {
    const { ran, reusable } = await run('does not stop when told to');
    assert.deepEqual([ran.outcome, reusable], ['deadlock', false]);
  });
  it('has the same chance and time in every execution', async () => {
    const memory = new Set<string>();
    for (let i = 0; i < 3; i++) memory.add((await run('chance')).ran.traceHash);
    assert.equal(memory.size, 1);
  });
  it('begins with fresh module state', async () => {
    for (let i = 0; i < 3; i++) assert.equal((await run('fresh state')).ran.outcome, 'pass');
  });
});
