import { workerData } from 'node:worker_threads';

const { memory, amount } = workerData;
const account = new Int32Array(memory);

function deposit(n) {
  const before = account[0];
  account[0] = before + n;
}

deposit(amount);
