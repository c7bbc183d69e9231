// A document in one file.
import { join } from 'node:path';
import { JSONFilePreset } from 'lowdb/node';
import { scenario } from 'unweave';

const open = (dir) => JSONFilePreset(join(dir, 'db.json'), { posts: [] });

scenario({
  name: 'lowdb',
  async setup({ dir }) {
    const db = await open(dir);
    await db.write();
    return { dir, db };
  },
  operations: {
    update: { run: ({ db }, title) => db.update(({ posts }) => posts.push(title)), args: [['one'], ['two']] },
    read: { run: ({ db }) => db.read() },
    write: { run: ({ db }) => db.write() },
  },
  observe: async ({ dir, db }) => ({ here: db.data, inFile: (await open(dir)).data }),
});
