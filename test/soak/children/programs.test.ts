/** Correct programs with child processes pass in some random orders; `npm run soak` runs many more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { correctChildren } from '../correct.ts';

const SEEDS = [1, 2];

test('correct programs whose processes share files do not fail', async (t) => {
  const programs = await correctChildren();
  assert.ok(programs.length > 10);
  for (const { id, run, close } of programs)
    await t.test(id, async () => {
      try {
        for (const seed of SEEDS) {
          const { what, steps } = await run(seed);
          assert.equal(what, null, `seed ${seed}: ${steps.join('\n')}`);
          // One that asks takes steps of its own.
          if (seed % 2 === 1)
            assert.ok(
              steps.some((step) => step.includes('child_process.exit#1>')),
              String(steps),
            );
        }
      } finally {
        await close();
      }
    });
});
