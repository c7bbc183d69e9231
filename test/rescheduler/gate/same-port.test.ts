/** Servers of one process at one port or under two names: each client is followed to its own. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { join, relative } from 'node:path';
import { it } from 'node:test';
import { scratchRoots } from '../../../rescheduler/subjects/scratch.ts';
import { gated } from './support.ts';

async function asked(...hosts: [server: string, client: string][]): Promise<string[]> {
  const servers: net.Server[] = [];
  let port = 0;
  for (const [host] of hosts) {
    const server = net.createServer((socket) => socket.end(host));
    await once(server.listen(port, host), 'listening');
    ({ port } = server.address() as net.AddressInfo);
    servers.push(server);
  }
  const answers: string[] = [];
  for (const [, host] of hosts) {
    const [answer] = await once(net.connect(port, host).setEncoding('utf8'), 'data');
    answers.push(answer);
  }
  for (const server of servers) server.close();
  return answers;
}

const cases: [string, string][][] = [
  [
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
  ],
  [
    ['127.0.0.2', '127.0.0.2'],
    ['127.0.0.1', '127.0.0.1'],
  ],
  [
    ['0.0.0.0', '127.0.0.1'],
    ['::1', '::1'],
  ],
];
for (const hosts of cases)
  it(hosts.map(([server]) => server).join(' and '), async () => {
    const { status, value, doubts } = await gated(() => asked(...hosts));
    assert.deepEqual([status, value, doubts], ['ok', hosts.map(([server]) => server), []]);
  });

it('a pipe by its path from here and in full', async () => {
  const path = join(scratchRoots().disk, 'same.sock');
  const { status, doubts } = await gated(async () => {
    const server = net.createServer((socket) => socket.end('x'));
    await once(server.listen(path), 'listening');
    await once(net.connect(relative(process.cwd(), path)).resume(), 'end');
    server.close();
  });
  assert.deepEqual([status, doubts], ['ok', []]);
});
