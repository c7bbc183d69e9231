// Services that would like to have one port.
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { join } from 'node:path';
import getPort from 'get-port';
import { scenario } from 'unweave';

scenario({
  name: 'get-port',
  async setup({ dir }) {
    const settings = join(dir, 'settings');
    await writeFile(settings, 'hello');
    return { settings, preferred: await getPort(), servers: [] };
  },
  operations: {
    start: {
      async run({ settings, preferred, servers }) {
        const port = await getPort({ port: preferred });
        const greeting = await readFile(settings);
        const server = net.createServer((socket) => socket.end(greeting)).listen(port);
        await once(server, 'listening');
        servers.push(server);
        return port === preferred;
      },
    },
  },
  observe: ({ servers }) => servers.length,
  teardown({ servers }) {
    for (const server of servers) server.close();
  },
});
