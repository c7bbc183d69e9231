// Answers that are kept until they are cleared.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCache } from 'async-cache-dedupe';
import { scenario } from 'unweave';

scenario({
  name: 'async-cache-dedupe',
  async setup({ dir }) {
    await writeFile(join(dir, 'tea'), '3');
    const cache = createCache({ ttl: 60, storage: { type: 'memory' } });
    cache.define('price', (name) => readFile(join(dir, name), 'utf8'));
    return { dir, cache };
  },
  operations: {
    price: { run: ({ cache }, name) => cache.price(name), args: [['tea']], reads: true },
    change: {
      alone: 'who changes it',
      async run({ dir, cache }, name, price) {
        await writeFile(join(dir, 'new'), price);
        await rename(join(dir, 'new'), join(dir, name));
        await cache.clear('price', name);
      },
      args: [['tea', '4']],
    },
  },
});
