/** Programs over datagrams inside one process: what holds in every order. */
import dgram from 'node:dgram';
import { once } from 'node:events';
import fsp from 'node:fs/promises';
import { setImmediate as immediate } from 'node:timers/promises';
import { type Case, impossible } from './program.ts';

const HOST = '127.0.0.1';

async function open(options: dgram.SocketOptions = { type: 'udp4' }, port = 0): Promise<dgram.Socket> {
  const socket = dgram.createSocket(options).bind(port, HOST);
  await once(socket, 'listening');
  return socket;
}

async function close(...sockets: dgram.Socket[]): Promise<void> {
  for (const socket of sockets) {
    socket.close();
    await once(socket, 'close');
  }
}

const portOf = (socket: dgram.Socket): number => socket.address().port;

/** Sends to oneself, time and again, and looks whether the answer falls between two immediates. */
async function betweenImmediates(sender: dgram.Socket, receiver: dgram.Socket): Promise<void> {
  let between = false;
  receiver.on('message', () => between && impossible('a datagram between two immediates'));
  for (let i = 0; i < 20; i++) {
    sender.send('x', portOf(receiver), HOST);
    const first = immediate().then(() => {
      between = true;
    });
    await Promise.all([first, immediate()]);
    between = false;
  }
}

export const datagrams: Record<string, Case> = {
  'datagrams of one socket keep their order': {
    needs: 'fifo',
    run: async () => {
      const [from, to] = [await open(), await open()];
      const got: string[] = [];
      to.on('message', (message) => got.push(String(message)));
      for (let i = 0; i < 6; i++) {
        from.send(String(i), portOf(to), HOST);
        if (i % 2 === 1) await fsp.stat('/');
      }
      while (got.length < 6) await fsp.stat('/');
      if (got.join('') !== '012345') impossible(got);
      await close(from, to);
    },
  },
  'what is there is read before anything else happens, and what is sent meanwhile as well': {
    run: async () => {
      const [from, to] = [await open(), await open()];
      let left = 6;
      let others = 0;
      to.on('message', (message) => {
        left -= 1;
        if (String(message) === '1') others = 0;
        else if (others > 0) impossible('a turn between datagrams that are read together');
        void fsp.stat('/').then(() => (others += 1));
        setImmediate(() => (others += 1));
        if (left > 1) from.send('more', portOf(to), HOST);
      });
      from.send('1', portOf(to), HOST);
      from.send('2', portOf(to), HOST);
      while (left > 0) await fsp.stat('/');
      await close(from, to);
    },
  },
  'datagrams do not come between two immediates': {
    orders: 8,
    run: async () => {
      const socket = await open();
      await betweenImmediates(socket, socket);
      await close(socket);
    },
  },
  'the kernel chooses between sockets that share a port': {
    needs: 'doubts',
    doubtful: true,
    orders: 8,
    run: async () => {
      const shared = { type: 'udp4', reuseAddr: true } as const;
      const first = await open(shared);
      const second = await open(shared, portOf(first));
      await betweenImmediates(first, second);
      await close(first, second);
    },
  },
};
