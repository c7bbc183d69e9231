import { appendFileSync, closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';

const { dir, safe } = workerData;
const path = join(dir, 'claimed');

function claim() {
  if (!safe) {
    if (existsSync(path)) return false;
    writeFileSync(path, '');
    return true;
  }
  try {
    closeSync(openSync(path, 'wx'));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

if (claim()) appendFileSync(join(dir, 'done'), 'done\n');
