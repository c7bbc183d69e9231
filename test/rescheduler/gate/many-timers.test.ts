/** More lists of timers than are looked at in every step: some order of them is always known. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { random } from './support.ts';

async function task(nth: number): Promise<void> {
  await sleep(1 + ((nth * 7) % 23));
  await stat('.');
  await sleep(1 + ((nth * 5) % 11));
  await sleep(1 + (nth % 3));
}

// In these orders the timers that are due first had to wait for a list behind more than a dozen others.
for (const seed of [67, 217, 1, 2, 3])
  test(`sixty tasks that sleep come to their end, seed ${seed}`, async () => {
    const { status, waits } = await random(
      () => Promise.all(Array.from({ length: 60 }, (_, nth) => task(nth))),
      seed,
    );
    assert.equal(status, 'ok', waits.join('\n'));
  });
