// Two services of one process take a free port each.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import getPort, { clearLockedPorts } from 'get-port';

test('two services get ports of their own', async (t) => {
  clearLockedPorts();
  const start = async () => {
    const port = await getPort({ host: '127.0.0.1' });
    const server = net.createServer();
    t.after(() => server.close());
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return port;
  };
  const [web, admin] = await Promise.all([start(), sleep(100).then(start)]);
  assert.notEqual(web, admin);
});
