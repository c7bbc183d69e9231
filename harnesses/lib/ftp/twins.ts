import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import net from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Expectation } from '../../api.ts';
import { twins } from '../twins.ts';
import { RequestHandler } from './request-handler.ts';
import { FtpServer, type HandlerClass } from './server.ts';

interface Ftp {
  readonly server: FtpServer;
  readonly port: number;
}

/** One program around the server: a flawed handler, and what a client asks of it. */
export interface FtpTwins {
  readonly name: string;
  readonly flawed: HandlerClass;
  /** The requests of each connection; connections come one after the other and stay open. */
  readonly connections: readonly (readonly string[])[];
  readonly expect: Omit<Expectation, 'bug'>;
}

/**
 * Registers `<name>/bad` with the flawed handler and `<name>/ok` with the right one. A client sends requests while
 * the timer closes what it takes to be idle. Closing in the middle of a session is allowed; what has to hold is that
 * no handler fails, that the counters are at zero again and that closed handlers hold nothing.
 */
export function ftpTwins({ name, flawed, connections, expect }: FtpTwins): void {
  const start = async (root: string, Handler: HandlerClass): Promise<Ftp> => {
    await writeFile(join(root, 'ann.password'), 'secret');
    await writeFile(join(root, 'bob.password'), 'hidden');
    await writeFile(join(root, 'readme'), 'welcome');
    const server = new FtpServer(root, Handler);
    return { server, port: await server.listen() };
  };
  twins<Ftp>({
    name,
    bad: ({ dir }) => start(dir, flawed),
    ok: ({ dir }) => start(dir, RequestHandler),
    tasks: {
      client: async ({ port }) => {
        for (const requests of connections) await converse(port, requests);
      },
      timer: async ({ server }) => {
        await sleep(100);
        await server.timeOut();
      },
    },
    check: async ({ server }) => {
      await server.timeOut();
      await server.stop();
      for (const failure of server.failures) throw failure;
      for (const user of server.dismissed) assert.ok(server.welcomed.has(user), `${user} was never let in`);
      assert.equal(server.currConnections, 0, 'connections are counted that are closed');
      assert.equal(server.currLogins, 0, 'users are counted that have left');
      for (const handler of server.handlers) assert.equal(handler.request, null, 'a request is left over');
    },
    expect,
  });
}

/** Sends each request when the one before is answered; an end of the connection ends it. */
async function converse(port: number, requests: readonly string[]): Promise<void> {
  const socket = net.connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  const waiting = requests.values();
  for await (const reply of createInterface({ input: socket })) {
    const { value: request } = waiting.next();
    if (reply.startsWith('421') || request === undefined) return;
    socket.write(`${request}\r\n`);
  }
}
