// Accounts in files, each guarded by a lock of its name.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import AsyncLock from 'async-lock';
import { scenario } from 'unweave';

scenario({
  name: 'async-lock',
  async setup({ dir }) {
    const file = (key) => join(dir, key);
    for (const key of ['ann', 'bob']) await writeFile(file(key), '0');
    const read = async (key) => Number(await readFile(file(key), 'utf8'));
    const add = async (key, n) => writeFile(file(key), String((await read(key)) + n));
    return { lock: new AsyncLock(), add, read };
  },
  operations: {
    deposit: {
      run: ({ lock, add }, key, n) => lock.acquire(key, () => add(key, n)),
      args: [
        ['ann', 1],
        ['ann', 2],
        ['bob', 3],
      ],
    },
    transfer: {
      run: ({ lock, add }, from, to, n) =>
        lock.acquire([from, to], async () => {
          await add(from, -n);
          await add(to, n);
        }),
      args: [
        ['ann', 'bob', 5],
        ['bob', 'ann', 7],
      ],
    },
    balance: {
      run: ({ lock, read }, key) => lock.acquire(key, () => read(key)),
      args: [['ann'], ['bob']],
      reads: true,
    },
    total: {
      run: ({ lock, read }) =>
        lock.acquire(['ann', 'bob'], async () => (await read('ann')) + (await read('bob'))),
      reads: true,
    },
  },
  observe: async ({ read }) => ({ ann: await read('ann'), bob: await read('bob') }),
});
