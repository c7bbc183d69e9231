// A log whose file is moved away and opened again.
import { once } from 'node:events';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import SonicBoom from 'sonic-boom';
import { scenario } from 'unweave';

scenario({
  name: 'sonic-boom',
  async setup({ dir }) {
    const log = new SonicBoom({ dest: join(dir, 'log'), sync: false });
    await once(log, 'ready');
    return { dir, log };
  },
  operations: {
    write: { run: ({ log }, line) => void log.write(line), args: [['one\n'], ['two\n']] },
    rotate: {
      async run({ dir, log }) {
        await rename(join(dir, 'log'), join(dir, 'old'));
        log.reopen();
      },
      alone: 'rotate',
      // Nothing is there to be moved away until it is open again.
      refuses: ['ENOENT'],
    },
    end: {
      async run({ log }) {
        log.end();
        await once(log, 'close');
      },
      last: true,
    },
  },
  async observe({ dir }) {
    const files = await Promise.all((await readdir(dir)).map((file) => readFile(join(dir, file), 'utf8')));
    return new Set(files.join('').split('\n'));
  },
});
