import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { work } from './begun.js';

await work(async ([dir, flag]) => {
  const [lock, orders] = [`${dir}/agent.pid`, `${dir}/orders`];
  for (;;) {
    try {
      if (flag === 'w' && existsSync(lock)) throw new Error('taken');
      writeFileSync(lock, String(process.pid), { flag });
      break;
    } catch {
      await sleep(20);
    }
  }
  const count = Number(readFileSync(orders, 'utf8'));
  writeFileSync(orders, String(count + 5));
  rmSync(lock, { force: true });
});
