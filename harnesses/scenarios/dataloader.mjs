// Users in files, loaded in batches and kept; whoever changes one clears it.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import DataLoader from 'dataloader';
import { scenario } from 'unweave';

scenario({
  name: 'dataloader',
  async setup({ dir }) {
    for (const id of ['ann', 'bob']) await writeFile(join(dir, id), id);
    const loader = new DataLoader((ids) => Promise.all(ids.map((id) => readFile(join(dir, id), 'utf8'))));
    return { dir, loader };
  },
  operations: {
    load: { run: ({ loader }, id) => loader.load(id), args: [['ann'], ['bob']] },
    loadMany: { run: ({ loader }, ...ids) => loader.loadMany(ids), args: [['ann', 'bob']] },
    rename: {
      alone: 'who changes it',
      async run({ dir, loader }, id, name) {
        await writeFile(join(dir, 'new'), name);
        await rename(join(dir, 'new'), join(dir, id));
        loader.clear(id);
      },
      args: [
        ['ann', 'Ann'],
        ['bob', 'Bob'],
      ],
    },
    clearAll: {
      run: ({ loader }) => {
        loader.clearAll();
      },
    },
  },
  observe: async ({ loader }) => [await loader.load('ann'), await loader.load('bob')],
});
