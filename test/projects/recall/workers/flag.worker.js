import { parentPort, workerData } from 'node:worker_threads';

const { role, slot, repaired } = workerData;
const [FULL, VALUE] = [0, 1];

if (role === 'consumer') {
  if (repaired) while (Atomics.load(slot, FULL) === 0) Atomics.wait(slot, FULL, 0);
  else if (Atomics.load(slot, FULL) === 0) {
    // Waits on the other word, which says nothing of whether it is full.
    Atomics.wait(slot, VALUE, Atomics.load(slot, VALUE));
  }
  parentPort.postMessage(Atomics.load(slot, VALUE));
} else {
  Atomics.store(slot, VALUE, 42);
  Atomics.store(slot, FULL, 1);
  Atomics.notify(slot, repaired ? FULL : VALUE);
  parentPort.postMessage(0);
}
