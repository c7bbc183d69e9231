/** Datagrams between sockets of one process. */
import dgram from 'node:dgram';
import type { Operations } from './operation.ts';

/** Binds a socket and has `then` called with it in the turn in which it listens. */
function bound(then: (socket: dgram.Socket, port: number) => void): void {
  const socket = dgram.createSocket('udp4');
  socket.bind(0, '127.0.0.1', () => then(socket, socket.address().port));
}

export const datagrams: Operations = {
  'datagrams to oneself': ({ n }, { tell, done }) =>
    bound((socket, port) => {
      tell('bound');
      let left = n;
      socket.on('message', (message) => {
        tell('message', message);
        if (--left === 0) socket.close();
      });
      socket.on('close', () => done());
      for (let i = 1; i <= n; i++) socket.send(String(i), port, '127.0.0.1');
    }),
  'a datagram and its answer': (_, { tell, done }) =>
    bound((server, port) => {
      server.on('message', (message, from) => {
        tell('asked', message);
        server.send('yes', from.port, from.address, () => tell('answered'));
      });
      const client = dgram.createSocket('udp4');
      client.on('message', (message) => {
        tell('answer', message);
        client.close();
        server.close(() => done());
      });
      client.send('x', port, '127.0.0.1');
    }),
  'datagrams of a connection': ({ n }, { tell, done }) =>
    bound((receiver, port) => {
      const sender = dgram.createSocket('udp4');
      let left = n;
      receiver.on('message', (message) => {
        tell('message', message);
        if (--left > 0) sender.send(String(left));
        else {
          sender.close();
          receiver.close(() => done());
        }
      });
      sender.connect(port, '127.0.0.1', () => {
        tell('connected');
        sender.send(String(left));
      });
    }),
};
