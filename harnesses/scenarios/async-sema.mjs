// Two connections that are handed out by a semaphore, and a sum that only one may change.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Sema } from 'async-sema';
import { scenario } from 'unweave';

scenario({
  name: 'async-sema',
  async setup({ dir }) {
    const file = join(dir, 'sum');
    await writeFile(file, '0');
    return { sema: new Sema(1), file };
  },
  operations: {
    add: {
      async run({ sema, file }, n) {
        await sema.acquire();
        try {
          const sum = Number(await readFile(file, 'utf8')) + n;
          await writeFile(file, String(sum));
          return sum;
        } finally {
          sema.release();
        }
      },
      args: [[1], [2]],
    },
    tryAdd: {
      async run({ sema, file }, n) {
        if (!sema.tryAcquire()) throw Object.assign(new Error('busy'), { code: 'EBUSY' });
        try {
          const sum = Number(await readFile(file, 'utf8')) + n;
          await writeFile(file, String(sum));
          return sum;
        } finally {
          sema.release();
        }
      },
      args: [[4], [8]],
      refuses: ['EBUSY'],
    },
    drain: {
      run: async ({ sema }) => {
        await sema.drain();
        sema.release();
      },
    },
  },
  observe: async ({ sema, file }) => ({ sum: await readFile(file, 'utf8'), waiting: sema.nrWaiting() }),
});
