import { readFile } from 'node:fs/promises';
import { workerData } from 'node:worker_threads';

const { balance, amount, guarded } = workerData;

async function deposit() {
  if (guarded) {
    await readFile('package.json');
    Atomics.add(balance, 0, amount);
    return;
  }
  const before = balance[0];
  await readFile('package.json');
  balance[0] = before + amount;
}

await deposit();
