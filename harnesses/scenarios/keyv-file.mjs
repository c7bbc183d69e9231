// A store of values in one file, written a moment later.
import { join } from 'node:path';
import { KeyvFile } from 'keyv-file';
import { scenario } from 'unweave';

const open = (dir) => new KeyvFile({ filename: join(dir, 'store.json') });

scenario({
  name: 'keyv-file',
  async setup({ dir }) {
    const store = open(dir);
    await store.set('a', 0);
    return { dir, store };
  },
  operations: {
    set: {
      run: ({ store }, key, value) => store.set(key, value),
      args: [
        ['a', 1],
        ['a', 2],
        ['b', 3],
      ],
      result: 'ignore',
    },
    get: { run: ({ store }, key) => store.get(key), args: [['a'], ['b']], reads: true },
    delete: { run: ({ store }, key) => store.delete(key), args: [['a'], ['b']] },
    clear: { run: ({ store }) => store.clear() },
  },
  async observe({ dir }) {
    const store = open(dir);
    return { a: await store.get('a'), b: await store.get('b') };
  },
});
