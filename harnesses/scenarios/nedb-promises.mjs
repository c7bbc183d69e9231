// Articles in a file.
import { join } from 'node:path';
import Datastore from 'nedb-promises';
import { scenario } from 'unweave';

scenario({
  name: 'nedb-promises',
  async setup({ dir }) {
    const filename = join(dir, 'articles');
    const db = Datastore.create({ filename });
    await db.ensureIndex({ fieldName: 'name', unique: true });
    await db.insert({ name: 'ink', stock: 5 });
    return { db, filename };
  },
  operations: {
    insert: { run: ({ db }, name) => db.insert({ name, stock: 1 }), args: [['pen'], ['cup']] },
    sell: { run: ({ db }, name) => db.update({ name }, { $inc: { stock: -1 } }), args: [['ink'], ['pen']] },
    upsert: {
      run: ({ db }, name) => db.update({ name }, { $set: { stock: 9 } }, { upsert: true }),
      args: [['ink'], ['pen']],
      result: 'ignore',
    },
    remove: { run: ({ db }, name) => db.remove({ name }), args: [['ink'], ['pen']] },
    stock: {
      run: async ({ db }, name) => (await db.findOne({ name }))?.stock ?? null,
      args: [['ink'], ['pen']],
      reads: true,
    },
  },
  async observe({ filename }) {
    const again = Datastore.create({ filename });
    return (await again.find({})).map(({ name, stock }) => `${name} ${stock}`).sort();
  },
});
