// A sum in a file, guarded by a lock file.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import lockfile from 'lockfile';
import { scenario } from 'unweave';

const lock = promisify(lockfile.lock);
const unlock = promisify(lockfile.unlock);
const check = promisify(lockfile.check);

scenario({
  name: 'lockfile',
  async setup({ dir }) {
    const file = join(dir, 'sum');
    await writeFile(file, '0');
    return { file, lock: join(dir, 'sum.lock') };
  },
  operations: {
    add: {
      async run(it, n) {
        await lock(it.lock, {});
        const sum = Number(await readFile(it.file, 'utf8')) + n;
        await writeFile(it.file, String(sum));
        await unlock(it.lock);
        return sum;
      },
      args: [[1], [2]],
      refuses: ['EEXIST'],
    },
    addPatiently: {
      async run(it, n) {
        await lock(it.lock, { wait: 1000, pollPeriod: 10, retries: 20, retryWait: 10 });
        const sum = Number(await readFile(it.file, 'utf8')) + n;
        await writeFile(it.file, String(sum));
        await unlock(it.lock);
        return sum;
      },
      args: [[4], [8]],
    },
    isLocked: { run: (it) => check(it.lock, {}), reads: true, result: 'ignore' },
  },
  observe: async (it) => ({ sum: await readFile(it.file, 'utf8'), locked: await check(it.lock, {}) }),
});
