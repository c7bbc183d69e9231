import { parentPort, workerData } from 'node:worker_threads';

const { bounds, isPacked } = workerData;

parentPort.once('message', ([low, high]) => {
  Atomics.store(bounds, 0, isPacked ? (low << 16) | high : low);
  if (!isPacked) Atomics.store(bounds, 1, high);
});
