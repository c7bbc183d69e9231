// Sessions of express-session, a file each.
import { promisify } from 'node:util';
import session from 'express-session';
import sessionFileStore from 'session-file-store';
import { scenario } from 'unweave';

const FileStore = sessionFileStore(session);
const call = (store, method, ...args) => promisify(store[method].bind(store))(...args);
const cookie = { maxAge: 60_000 };

scenario({
  name: 'session-file-store',
  async setup({ dir }) {
    const store = new FileStore({ path: dir, retries: 0, reapInterval: -1, logFn: () => {} });
    await call(store, 'set', 's1', { cookie, user: 'ann' });
    return store;
  },
  operations: {
    get: { run: (store, id) => call(store, 'get', id), args: [['s1'], ['s2']], reads: true },
    set: {
      run: (store, id, user) => call(store, 'set', id, { cookie, user }),
      args: [
        ['s1', 'cas'],
        ['s2', 'bob'],
      ],
    },
    touch: { run: (store, id) => call(store, 'touch', id, { cookie }), args: [['s1']] },
    destroy: { run: (store, id) => call(store, 'destroy', id), args: [['s1'], ['s2']] },
  },
});
