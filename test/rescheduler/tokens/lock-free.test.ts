/** What is often written wrongly fails in one of the first orders that are tried; what is right passes in all of them. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { forced } from '../../../predictor/threads/schedules.ts';
import { preemptions, twoPreemptions } from '../../../rescheduler/tokens/preemptions.ts';
import type { ThreadSpec } from '../../../rescheduler/tokens/protocol.ts';
import { Bundled, predicted } from './bundled.ts';

const bundled = new Bundled();
after(() => bundled.close());
const file = new URL('./fixtures/lock-free.ts', import.meta.url);

/** The outcomes of predicted schedules, then of those with one and two preemptions, up to the first failure. */
async function outcomes(name: string): Promise<Set<string>> {
  const { ran, trace } = await bundled.run(file, name, { kind: 'observed' }, true);
  assert.equal(ran.outcome, 'pass');
  const specs: ThreadSpec[] = [
    ...predicted(trace!).map((cutPoint) => forced(trace!, cutPoint)),
    ...[...preemptions(trace!, 50), ...twoPreemptions(trace!, 25)].map(({ grants }) => ({
      grants,
      expected: null,
    })),
  ].map((schedule) => ({ kind: 'directed', schedule }));
  const seen = new Set<string>();
  for (const spec of specs) {
    seen.add((await bundled.run(file, name, spec)).ran.outcome);
    if (seen.has('fail')) break;
  }
  return seen;
}

const NAMES = ['seqlock', 'double-checked', 'stack', 'peterson', 'permits'];
for (const name of NAMES)
  describe(name, () => {
    it('fails as it is often written', async () => {
      assert.ok((await outcomes(`${name} racy`)).has('fail'));
    });
    it('passes as it should be', async () => {
      assert.deepEqual(await outcomes(`${name} ok`), new Set(['pass']));
    });
  });
