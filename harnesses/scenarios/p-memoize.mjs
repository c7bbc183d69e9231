// Look-ups that are kept in a cache on disk.
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pMemoize from 'p-memoize';
import { scenario } from 'unweave';

const onDisk = (dir) => ({
  has: (key) =>
    access(join(dir, key)).then(
      () => true,
      () => false,
    ),
  get: (key) => readFile(join(dir, key), 'utf8'),
  set: (key, value) => writeFile(join(dir, key), value),
  delete: (key) => rm(join(dir, key), { force: true }),
});

scenario({
  name: 'p-memoize',
  async setup({ dir }) {
    await writeFile(join(dir, 'towns'), 'Ghent 9000');
    const it = { lookups: 0 };
    it.postcode = pMemoize(
      async (town) => {
        it.lookups += 1;
        return (await readFile(join(dir, 'towns'), 'utf8')).split(`${town} `)[1];
      },
      { cache: onDisk(dir) },
    );
    return it;
  },
  operations: { postcode: { run: ({ postcode }, town) => postcode(town), args: [['Ghent']] } },
  observe: ({ lookups }) => lookups,
});
