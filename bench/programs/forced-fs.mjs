// Three tasks on one file, each a read, then a write.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const add = async ({ file }) => {
  const before = Number(await readFile(file, 'utf8'));
  await writeFile(file, String(before + 1));
};

globalThis[Symbol.for('unweave.harnesses')].push({
  name: 'forced',
  setup: async ({ dir }) => {
    const file = join(dir, 'counter');
    await writeFile(file, '0');
    return { file };
  },
  tasks: { a: add, b: add, c: add },
  check: () => {},
});
