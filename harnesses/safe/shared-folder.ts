/**
 * Three tasks make the same folder and save into it.
 * Looks racy: made by all, and two of the makes fail. Safe: "exists" is taken as made.
 */
import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { harness } from '../api.ts';

class Exports {
  readonly folder: string;

  constructor(dir: string) {
    this.folder = join(dir, 'exports');
  }

  async save(name: string): Promise<void> {
    try {
      await mkdir(this.folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    await writeFile(join(this.folder, name), name);
  }
}

harness({
  name: 'shared-folder',
  setup: ({ dir }) => new Exports(dir),
  tasks: {
    a: (exports) => exports.save('a.csv'),
    b: (exports) => exports.save('b.csv'),
    c: (exports) => exports.save('c.csv'),
  },
  check: async ({ folder }) =>
    assert.deepEqual((await readdir(folder)).toSorted(), ['a.csv', 'b.csv', 'c.csv']),
  expect: { bug: false },
});
