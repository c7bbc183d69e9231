// Three clients of one server on loopback; each request reads what it holds, each answer changes it.
import { once } from 'node:events';
import net from 'node:net';

const ask = async ({ server }) => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  socket.write('more');
  await once(socket, 'data');
  socket.destroy();
  await once(socket, 'close');
};

globalThis[Symbol.for('unweave.harnesses')].push({
  name: 'forced',
  setup: async () => {
    let count = 0;
    const server = net.createServer((peer) => {
      peer.once('data', () => peer.end(String(++count)));
      peer.on('error', () => {});
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { server };
  },
  tasks: { a: ask, b: ask, c: ask },
  check: async ({ server }) => {
    server.close();
    await once(server, 'close');
  },
});
