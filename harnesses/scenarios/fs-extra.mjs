// Files that are made sure of, written, moved and removed.
import { join } from 'node:path';
import fs from 'fs-extra';
import { scenario } from 'unweave';

scenario({
  name: 'fs-extra',
  async setup({ dir }) {
    await fs.outputFile(join(dir, 'a'), 'ann');
    await fs.outputFile(join(dir, 'b'), 'bob');
    return (name) => join(dir, name);
  },
  operations: {
    ensureFile: { run: (at, name) => fs.ensureFile(at(name)), args: [['log']] },
    append: { run: (at, name, text) => fs.appendFile(at(name), text), args: [['log', 'started']] },
    outputJson: {
      run: (at, name, value) => fs.outputJson(at(name), value),
      refuses: ['ENOENT'],
      args: [
        ['new/c.json', 1],
        ['new/d.json', 2],
      ],
    },
    publish: {
      run: (at, to, from) => fs.move(at(from), at(to)),
      // Who fails has moved nothing.
      refuses: () => true,
      args: [
        ['report', 'a'],
        ['report', 'b'],
      ],
    },
    remove: { run: (at, name) => fs.remove(at(name)), args: [['new'], ['report']] },
  },
  async observe(at) {
    const names = (await fs.readdir(at('.'), { recursive: true, withFileTypes: true })).filter((each) =>
      each.isFile(),
    );
    return new Map(
      await Promise.all(
        names.map(async ({ parentPath, name }) => [name, await fs.readFile(join(parentPath, name), 'utf8')]),
      ),
    );
  },
});
