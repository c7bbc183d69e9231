// A tree of values in one file.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Config, JsonDB } from 'node-json-db';
import { scenario } from 'unweave';

const open = (file) => new JsonDB(new Config(file, true, false, '/'));

scenario({
  name: 'node-json-db',
  async setup({ dir }) {
    const file = join(dir, 'settings.json');
    await writeFile(file, JSON.stringify({ ann: 'light' }));
    return { file, db: open(file) };
  },
  operations: {
    push: {
      run: ({ db }, path, value) => db.push(path, value),
      args: [
        ['/ann', 'dark'],
        ['/bob', 'blue'],
      ],
    },
    getData: { run: ({ db }, path) => db.getData(path), args: [['/ann'], ['/bob']], reads: true },
    reload: { run: ({ db }) => db.reload() },
  },
  observe: async ({ db, file }) => ({ here: await db.getData('/'), inFile: await open(file).getData('/') }),
});
