import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { work } from './begun.js';

await work(async ([path, kind]) => {
  const lock = `${path}.lock`;
  const acquire = () => {
    if (kind === 'mkdir') {
      try {
        mkdirSync(lock);
        return true;
      } catch {
        return false;
      }
    }
    if (existsSync(lock)) return false;
    writeFileSync(lock, String(process.pid));
    return true;
  };
  while (!acquire()) await sleep(20);
  const balance = Number(readFileSync(path, 'utf8'));
  writeFileSync(path, String(balance + 10));
  rmSync(lock, { recursive: true, force: true });
});
