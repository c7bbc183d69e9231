/** A worker of a raw ring: waits for its word, hands over to the next one, nothing else. */
import { workerData } from 'node:worker_threads';

const { words, self, threads, rounds } = workerData as Record<'self' | 'threads' | 'rounds', number> & {
  words: Int32Array;
};
const mine = 16 * (1 + self);
const next = 16 * (1 + ((self + 1) % threads));
for (let round = 0; round < rounds; round++) {
  while (Atomics.load(words, mine) === 0) Atomics.wait(words, mine, 0);
  Atomics.store(words, mine, 0);
  Atomics.store(words, next, 1);
  Atomics.notify(words, next, 1);
}
Atomics.add(words, 0, 1);
Atomics.notify(words, 0);
