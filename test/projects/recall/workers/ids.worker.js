import { parentPort, workerData } from 'node:worker_threads';

const { next, repaired } = workerData;

function allocate() {
  if (repaired) return Atomics.add(next, 0, 1);
  const id = Atomics.load(next, 0);
  Atomics.store(next, 0, id + 1);
  return id;
}

parentPort.postMessage([allocate(), allocate()]);
