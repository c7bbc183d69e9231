import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , path, kind] = process.argv;
const lock = `${path}.lock`;

async function acquire() {
  for (;;) {
    if (kind === 'mkdir') {
      try {
        mkdirSync(lock);
        return;
      } catch {}
    } else if (!existsSync(lock)) {
      writeFileSync(lock, String(process.pid));
      return;
    }
    await sleep(20);
  }
}

await acquire();
const balance = Number(readFileSync(path, 'utf8'));
writeFileSync(path, String(balance + 10));
rmSync(lock, { recursive: true, force: true });
