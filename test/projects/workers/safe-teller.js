import { workerData } from 'node:worker_threads';

const { memory, amount } = workerData;
// A lock word, then the balance.
const words = new Int32Array(memory);

while (Atomics.compareExchange(words, 0, 0, 1) !== 0) Atomics.wait(words, 0, 1);
const before = words[1];
words[1] = before + amount;
Atomics.store(words, 0, 0);
Atomics.notify(words, 0, 1);
