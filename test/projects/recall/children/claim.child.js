import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { work } from './begun.js';

await work(([dir, flag]) => {
  const done = [];
  for (const job of readdirSync(join(dir, 'jobs'))) {
    const claim = join(dir, `${job}.claim`);
    if (flag === 'wx') {
      try {
        writeFileSync(claim, String(process.pid), { flag });
      } catch {
        continue;
      }
    } else {
      if (existsSync(claim)) continue;
      writeFileSync(claim, String(process.pid));
    }
    done.push(job);
  }
  return done;
});
