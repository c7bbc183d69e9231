/** The papers' programs: what prediction finds in them, forced; what stays silent; how schedules are followed. */

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { grantsOf } from '../../../data/threads/schedule.ts';
import type { ThreadTrace } from '../../../data/threads/trace.ts';
import type { Expectation, ThreadHarness } from '../../../harnesses/api.ts';
import { mismatch } from '../../../harnesses/expectation.ts';
import { forced } from '../../../predictor/threads/schedules.ts';
import { preemptions } from '../../../rescheduler/tokens/preemptions.ts';
import type { ThreadReply } from '../../../rescheduler/tokens/protocol.ts';
import { extent } from '../../extent.ts';
import { loadAllThreads } from '../../harnesses/all.ts';
import { Bundled, predicted } from './bundled.ts';

const loaded = await loadAllThreads();
const bundled = new Bundled();
after(() => bundled.close());

/** A failure that a predicted schedule ended in. */
interface Found {
  readonly kind: string;
  readonly pattern: string;
  readonly entity: string;
}

interface Forced {
  readonly baseline: string;
  readonly trace: ThreadTrace;
  readonly schedules: number;
  readonly followed: number;
  readonly found: readonly Found[];
}

async function force(file: URL, { name }: ThreadHarness): Promise<Forced> {
  const { ran, trace } = await bundled.run(file, name, { kind: 'observed' }, true);
  const found: Found[] = [];
  let schedules = 0;
  let followed = 0;
  for (const cutPoint of predicted(trace!)) {
    const spec = { kind: 'directed', schedule: forced(trace!, cutPoint) } as const;
    const again = (await bundled.run(file, name, spec)).ran;
    // A read that is brought forward changes what comes next: that it is followed is not to be expected.
    if (cutPoint.pattern !== 'RRW') {
      schedules += 1;
      if (again.followed === 'followed') followed += 1;
    }
    if (again.failure) found.push({ ...cutPoint, kind: again.failure.kind });
  }
  return { baseline: ran.outcome, trace: trace!, schedules, followed, found };
}

/** How the first random execution that fails ends; null: none of so many does. */
async function foundByChance(file: URL, { name }: ThreadHarness, executions = 3000): Promise<string | null> {
  for (let seed = 1; seed <= executions; seed++) {
    const { ran } = await bundled.run(file, name, { kind: 'random', seed });
    if (ran.failure) return ran.outcome;
  }
  return null;
}

/** The same for schedules with one preemption, then for chance. */
async function explored(file: URL, harness: ThreadHarness, trace: ThreadTrace): Promise<string | null> {
  for (const { grants } of preemptions(trace, 1000)) {
    const spec = { kind: 'directed', schedule: { grants, expected: null } } as const;
    const { ran } = await bundled.run(file, harness.name, spec);
    if (ran.failure) return ran.outcome;
  }
  return foundByChance(file, harness);
}

describe('the programs of threads, predicted and forced', () => {
  const sum = { schedules: 0, followed: 0 };

  for (const { file, harnesses } of loaded)
    for (const harness of harnesses) {
      const expect = harness.expect as Expectation;
      const what = expect.order || expect.deadlock ? 'by exploration' : 'by prediction';
      it(`${harness.name}: ${expect.bug ? `a bug, found ${what}` : 'silent'}`, async () => {
        const { baseline, trace, schedules, followed, found } = await force(file, harness);
        assert.equal(baseline, 'pass', 'the observed order');
        sum.schedules += schedules;
        sum.followed += followed;
        if (!expect.bug) {
          assert.deepEqual(found, []);
          assert.equal(await foundByChance(file, harness, extent(6, 50)), null);
        } else if (expect.deadlock) assert.equal(await explored(file, harness, trace), 'deadlock');
        else if (expect.order) assert.equal(await explored(file, harness, trace), 'fail');
        else
          assert.ok(
            found.some((each) => mismatch(expect, each) === null),
            JSON.stringify(found),
          );
      });
    }

  it('are followed to their cut point by at least nine schedules of ten', () => {
    assert.ok(sum.schedules >= 100);
    assert.ok(sum.followed / sum.schedules >= 0.9, `${sum.followed} of ${sum.schedules}`);
  });
});

describe('a schedule of threads, replayed', () => {
  it('gives one trace in hundreds of executions', async () => {
    const { file } = loaded.find(({ harnesses }) =>
      harnesses.some(({ name }) => name === 'stringbuffer/bad'),
    )!;
    const { ran } = await failing(file, 'stringbuffer/bad');
    const hashes = new Set([ran.traceHash]);
    const schedule = { grants: ran.taken, expected: null };
    for (let i = 0; i < extent(200, 1000); i++) {
      const again = (await bundled.run(file, 'stringbuffer/bad', { kind: 'directed', schedule })).ran;
      assert.deepEqual([again.outcome, again.followed], ['fail', 'followed']);
      hashes.add(again.traceHash);
    }
    assert.equal(hashes.size, 1);
  });

  it('is followed exactly through forty thousand context switches', async () => {
    const file = new URL('../../../harnesses/table1/large.ts', import.meta.url);
    const { ran, trace } = await bundled.run(file, 'elevator data3', { kind: 'random', seed: 0 }, true);
    const grants = grantsOf(trace!.events);
    assert.ok(grants.length / 2 >= 40_000, `${grants.length / 2} grants`);
    const schedule = { grants, expected: trace };
    const again = (await bundled.run(file, 'elevator data3', { kind: 'directed', schedule })).ran;
    assert.deepEqual([again.outcome, again.followed, again.traceHash], ['pass', 'followed', ran.traceHash]);
  });
});

/** The first random execution that fails. */
async function failing(file: URL, name: string): Promise<ThreadReply> {
  for (let seed = 1; ; seed++) {
    const reply = await bundled.run(file, name, { kind: 'random', seed });
    if (reply.ran.failure) return reply;
  }
}
