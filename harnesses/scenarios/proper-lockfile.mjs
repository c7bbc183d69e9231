// A sum in a file, guarded by a lock.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { scenario } from 'unweave';

const adding = (retries) => async (file, n) => {
  const release = await lockfile.lock(file, { retries });
  try {
    const sum = Number(await readFile(file, 'utf8')) + n;
    await writeFile(file, String(sum));
    return sum;
  } finally {
    await release();
  }
};

scenario({
  name: 'proper-lockfile',
  async setup({ dir }) {
    const file = join(dir, 'sum');
    await writeFile(file, '0');
    return file;
  },
  operations: {
    add: { run: adding(0), args: [[1], [2]], refuses: ['ELOCKED'] },
    check: { run: (file) => lockfile.check(file), reads: true, result: 'ignore' },
  },
  observe: async (file) => ({ sum: await readFile(file, 'utf8'), locked: await lockfile.check(file) }),
});
