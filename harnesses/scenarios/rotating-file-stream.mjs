// Logs in a folder that is not there yet.
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import rfs from 'rotating-file-stream';
import { scenario } from 'unweave';

scenario({
  name: 'rotating-file-stream',
  setup: ({ dir }) => join(dir, 'log'),
  operations: {
    log: {
      async run(path, name, line) {
        const stream = rfs(name, { path, size: '10M' });
        stream.end(line);
        await once(stream, 'finish');
      },
      args: [
        ['access.log', 'GET /\n'],
        ['error.log', 'boom\n'],
      ],
    },
  },
  async observe(path) {
    const names = await readdir(path);
    return new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(join(path, name), 'utf8')])),
    );
  },
});
