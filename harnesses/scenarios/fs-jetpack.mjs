// Files that are written, moved and removed.
import jetpack from 'fs-jetpack';
import { scenario } from 'unweave';

scenario({
  name: 'fs-jetpack',
  async setup({ dir }) {
    const files = jetpack.cwd(dir);
    await files.writeAsync('a', 'old');
    return files;
  },
  operations: {
    write: {
      run: (files, name, text) => files.writeAsync(name, text, { atomic: true }),
      args: [
        ['a', 'one'],
        ['a', 'two'],
        ['b', 'three'],
      ],
    },
    read: { run: (files, name) => files.readAsync(name), args: [['a'], ['b']], reads: true },
    remove: { run: (files, name) => files.removeAsync(name), args: [['a'], ['b']] },
    rename: { run: (files, from, to) => files.moveAsync(from, to, { overwrite: true }), args: [['a', 'b']] },
  },
});
