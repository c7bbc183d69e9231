// Content that is stored by a key, and cleaned now and then.
import cacache from 'cacache';
import { scenario } from 'unweave';

scenario({
  name: 'cacache',
  async setup({ dir }) {
    await cacache.put(dir, 'old', 'old content');
    return dir;
  },
  operations: {
    put: {
      run: async (cache, key, data) => String(await cacache.put(cache, key, data)),
      args: [
        ['page', 'hello'],
        ['old', 'new content'],
      ],
    },
    get: {
      run: async (cache, key) => String((await cacache.get(cache, key)).data),
      args: [['page'], ['old']],
      reads: true,
    },
    remove: {
      run: (cache, key) => cacache.rm.entry(cache, key),
      args: [['page'], ['old']],
      result: 'ignore',
    },
    verify: { run: (cache) => cacache.verify(cache), result: 'ignore', alone: 'cleaning' },
  },
});
