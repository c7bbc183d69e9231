// Articles in a database in memory, of the interface of LevelDB.
import { MemoryLevel } from 'memory-level';
import { scenario } from 'unweave';

scenario({
  name: 'memory-level',
  async setup() {
    const db = new MemoryLevel({ valueEncoding: 'json' });
    await db.put('ink', 5);
    return db;
  },
  operations: {
    put: {
      run: (db, key, n) => db.put(key, n),
      args: [
        ['ink', 6],
        ['pen', 7],
      ],
    },
    del: { run: (db, key) => db.del(key), args: [['ink'], ['pen']] },
    swap: {
      run: (db, a, b) =>
        db.batch([
          { type: 'del', key: a },
          { type: 'put', key: b, value: 9 },
        ]),
      args: [
        ['ink', 'pen'],
        ['pen', 'ink'],
      ],
    },
    all: { run: (db) => db.iterator().all(), reads: true },
    clear: { run: (db) => db.clear() },
  },
});
