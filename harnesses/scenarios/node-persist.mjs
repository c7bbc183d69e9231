// A store of values, a file each.
import nodePersist from 'node-persist';
import { scenario } from 'unweave';

async function open(dir) {
  const storage = nodePersist.create({ dir });
  await storage.init();
  return storage;
}

scenario({
  name: 'node-persist',
  async setup({ dir }) {
    const storage = await open(dir);
    await storage.setItem('a', 0);
    return storage;
  },
  operations: {
    setItem: {
      run: (storage, key, value) => storage.setItem(key, value),
      args: [
        ['a', 1],
        ['a', 2],
        ['b', 3],
      ],
      result: 'ignore',
    },
    getItem: { run: (storage, key) => storage.getItem(key), args: [['a'], ['b']], reads: true },
    removeItem: { run: (storage, key) => storage.removeItem(key), args: [['a'], ['b']], result: 'ignore' },
    clear: { run: (storage) => storage.clear(), result: 'ignore' },
  },
  // Writes go through a queue.
  order: 'issued',
  async observe({ options }) {
    const storage = await open(options.dir);
    return { a: await storage.getItem('a'), b: await storage.getItem('b') };
  },
});
