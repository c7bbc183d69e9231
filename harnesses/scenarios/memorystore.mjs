// Sessions of express-session in memory.
import { promisify } from 'node:util';
import session from 'express-session';
import memorystore from 'memorystore';
import { scenario } from 'unweave';

const MemoryStore = memorystore(session);
const basket = (item) => ({ cookie: { originalMaxAge: null }, item });

scenario({
  name: 'memorystore',
  async setup() {
    const store = new MemoryStore({});
    const promised = (method) => promisify(store[method].bind(store));
    const it = {
      set: promised('set'),
      get: promised('get'),
      touch: promised('touch'),
      destroy: promised('destroy'),
      all: promised('all'),
      length: promised('length'),
      clear: promised('clear'),
    };
    await it.set('a', basket('tea'));
    return it;
  },
  operations: {
    set: {
      run: (store, id, item) => store.set(id, basket(item)),
      args: [
        ['a', 'ink'],
        ['b', 'pen'],
      ],
    },
    touch: { run: (store, id) => store.touch(id, basket('tea')), args: [['a'], ['b']] },
    destroy: { run: (store, id) => store.destroy(id), args: [['a'], ['b']] },
    clear: { run: (store) => store.clear() },
    get: { run: (store, id) => store.get(id), args: [['a'], ['b']], reads: true },
    length: { run: (store) => store.length(), reads: true },
  },
});
