import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { H, newControl, record, T } from '../../../rescheduler/tokens/control.ts';
import { Lookout, Parking, unpark } from '../../../rescheduler/tokens/parking.ts';

const ROUNDS = 5000;

const wordsOf = (threads: number): Int32Array => {
  const { words } = newControl(threads, 1, 1);
  words[H.Threads] = threads;
  return words;
};

for (const threads of [2, 1000])
  test(`the token comes back however soon it does, ${threads === 2 ? 'looked for' : 'slept for'}`, async () => {
    // That many threads are never looked for: who waits sleeps at once.
    const words = wordsOf(threads);
    const worker = new Worker(new URL('./fixtures/partner.ts', import.meta.url), {
      workerData: { words, rounds: ROUNDS },
    });
    await new Promise((resolve) => worker.once('online', resolve));
    const parking = new Parking(words, 0);
    for (let round = 0; round < ROUNDS; round++) {
      unpark(words, 1);
      parking.park();
      assert.equal(words[record(0) + T.Go], 0);
    }
    await new Promise((resolve) => worker.once('exit', resolve));
  });

test('looking in vain is given up for a while', { skip: availableParallelism() < 2 }, () => {
  const words = wordsOf(2);
  const lookout = new Lookout(words);
  const at = record(0) + T.Go;
  for (let i = 0; i < 8; i++) assert.equal(lookout.sees(at, 0), false);
  words[at] = 1;
  const seen = Array.from({ length: 40 }, () => lookout.sees(at, 0));
  assert.equal(seen.indexOf(true), 31);
  assert.ok(seen.slice(31).every(Boolean), 'what has helped goes on');
});

test('with more threads than processors nobody looks', () => {
  const words = wordsOf(1000);
  words[record(0) + T.Go] = 1;
  assert.equal(new Lookout(words).sees(record(0) + T.Go, 0), false);
});
