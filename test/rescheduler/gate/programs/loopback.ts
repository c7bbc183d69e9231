/**
 * Programs that rely on the kernel: what is sent within one process is there at once. Where loopback is strict they never
 * fail; over a network each of them may.
 */
import dgram from 'node:dgram';
import { once } from 'node:events';
import fsp from 'node:fs/promises';
import net from 'node:net';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { type Case, impossible } from './program.ts';

const HOST = '127.0.0.1';

interface Connection {
  readonly server: net.Server;
  readonly near: net.Socket;
  readonly far: net.Socket;
}

/** Gives `use` both ends of a connection. */
async function connected(use: (ends: Connection) => Promise<unknown>): Promise<void> {
  const server = net.createServer({ allowHalfOpen: true }).listen(0, HOST);
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const near = net.connect((server.address() as net.AddressInfo).port, HOST);
  const [[far]] = await Promise.all([accepted as Promise<net.Socket[]>, once(near, 'connect')]);
  try {
    await use({ server, near, far: far as net.Socket });
  } finally {
    near.destroy();
    far?.destroy();
    server.close();
    await once(server, 'close');
  }
}

/** `sent` is called, then `meanwhile`; by then the news have come. */
const there = (
  news: (ends: Connection, told: () => void) => void,
  sent: (ends: Connection) => void,
  meanwhile: (directory: string) => Promise<unknown>,
): Case => ({
  strict: true,
  run: (directory) =>
    connected(async (ends) => {
      let isTold = false;
      news(ends, () => {
        isTold = true;
      });
      sent(ends);
      await meanwhile(directory);
      if (!isTold) impossible('it was not told yet');
    }),
});

const answers = async (directory: string): Promise<void> => {
  await fsp.stat(directory);
  await fsp.stat(directory);
};

const bytes = ({ far }: Connection, told: () => void): unknown => far.on('data', told);
const write = ({ near }: Connection): unknown => near.write('x');

export const loopback: Record<string, Case> = {
  'bytes are there before the second answer of a file': there(bytes, write, answers),
  'bytes are there before the second immediate': there(bytes, write, async () => {
    await immediate();
    await immediate();
  }),
  'bytes are there before a timer that another timer starts': there(bytes, write, async () => {
    await sleep(1);
    await sleep(1);
  }),
  'the end of a stream is there before the third answer of a file': there(
    ({ far }, told) => far.on('end', told).resume(),
    ({ near }) => near.end(),
    async (directory) => {
      await fsp.stat(directory);
      await answers(directory);
    },
  ),
  'a connection is accepted before the second answer of a file': there(
    ({ server }, told) =>
      server.on('connection', (socket) => {
        socket.on('error', () => {}).destroy();
        told();
      }),
    ({ server }) => net.connect((server.address() as net.AddressInfo).port, HOST).on('error', () => {}),
    answers,
  ),
  'a datagram is there before the second answer of a file': {
    strict: true,
    run: async (directory) => {
      const [one, other] = [dgram.createSocket('udp4'), dgram.createSocket('udp4')];
      one.bind(0, HOST);
      other.bind(0, HOST);
      await Promise.all([once(one, 'listening'), once(other, 'listening')]);
      let isTold = false;
      other.on('message', () => {
        isTold = true;
      });
      one.connect(other.address().port, HOST);
      await once(one, 'connect');
      one.send('x');
      await answers(directory);
      for (const socket of [one, other]) {
        socket.close();
        await once(socket, 'close');
      }
      if (!isTold) impossible('it was not told yet');
    },
  },
};
