// Prices that are looked up and kept; whoever changes one takes it out of the cache.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCache } from 'cache-manager';
import { scenario } from 'unweave';

scenario({
  name: 'cache-manager',
  async setup({ dir }) {
    await writeFile(join(dir, 'ink'), '10');
    await writeFile(join(dir, 'pen'), '20');
    const it = { dir, cache: createCache(), looked: 0 };
    it.lookUp = async (key) => {
      it.looked += 1;
      return await readFile(join(dir, key), 'utf8');
    };
    return it;
  },
  operations: {
    price: { run: ({ cache, lookUp }, key) => cache.wrap(key, () => lookUp(key)), args: [['ink'], ['pen']] },
    get: { run: ({ cache }, key) => cache.get(key), args: [['ink'], ['pen']], reads: true },
    set: {
      run: ({ cache }, key, value) => cache.set(key, value),
      args: [
        ['ink', '12'],
        ['pen', '22'],
      ],
    },
    clear: { run: ({ cache }) => cache.clear() },
    change: {
      alone: 'who changes it',
      async run({ dir, cache }, key, value) {
        await writeFile(join(dir, 'new'), value);
        await rename(join(dir, 'new'), join(dir, key));
        await cache.del(key);
      },
      args: [
        ['ink', '11'],
        ['pen', '21'],
      ],
    },
  },
  observe: async ({ cache, looked }) => ({
    looked,
    ink: await cache.get('ink'),
    pen: await cache.get('pen'),
  }),
});
