// Reports that are built when they are wanted, and kept.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Cacheable } from 'cacheable';
import { scenario } from 'unweave';

scenario({
  name: 'cacheable',
  async setup({ dir }) {
    await writeFile(join(dir, 'sales'), '10');
    const cache = new Cacheable();
    const it = { dir, cache, built: 0 };
    const build = async () => {
      it.built += 1;
      return await readFile(join(dir, 'sales'), 'utf8');
    };
    it.report = cache.wrap(build, { ttl: '1h', keyPrefix: 'report' });
    it.build = build;
    return it;
  },
  operations: {
    getOrSet: { run: ({ cache, build }, key) => cache.getOrSet(key, build), args: [['sales']] },
    get: { run: ({ cache }, key) => cache.get(key), args: [['sales']], reads: true },
    set: { run: ({ cache }, key, value) => cache.set(key, value), args: [['sales', '12']] },
    wrapped: { run: ({ report }) => report() },
    change: {
      alone: 'who changes it',
      async run({ dir, cache }, key, value) {
        await writeFile(join(dir, 'new'), value);
        await rename(join(dir, 'new'), join(dir, key));
        await cache.delete(key);
      },
      args: [['sales', '11']],
    },
  },
  observe: async ({ cache, built }) => ({ built, sales: await cache.get('sales') }),
});
