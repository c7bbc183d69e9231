import { once } from 'node:events';
import { appendFile } from 'node:fs/promises';
import net from 'node:net';
import { join } from 'node:path';
import type { RequestHandler, ServerState } from './request-handler.ts';

/** How a server makes the handler of a connection; the programs put their own in. */
export type HandlerClass = new (server: ServerState, socket: net.Socket) => RequestHandler;

/**
 * A server that speaks a little FTP over real sockets: one handler for each control connection, and a timer that
 * closes connections which it takes to be idle (PENELOPE, section 5).
 */
export class FtpServer implements ServerState {
  currConnections = 0;
  currLogins = 0;
  readonly root: string;
  readonly welcomed = new Set<string>();
  readonly dismissed: string[] = [];
  readonly handlers: RequestHandler[] = [];
  /** What handlers threw. */
  readonly failures: unknown[] = [];
  readonly #listener: net.Server;

  constructor(root: string, Handler: HandlerClass) {
    this.root = root;
    this.#listener = net.createServer((socket) => {
      const handler = new Handler(this, socket);
      this.handlers.push(handler);
      handler.run().catch((error) => this.failures.push(error));
    });
  }

  /** Listens on a free port of the loopback interface, and returns it. */
  async listen(): Promise<number> {
    this.#listener.listen(0, '127.0.0.1');
    await once(this.#listener, 'listening');
    return (this.#listener.address() as net.AddressInfo).port;
  }

  /** What the timer does: every connection that is open has been idle for too long. */
  async timeOut(): Promise<void> {
    for (const handler of this.handlers) {
      handler.close();
      await this.log('timed out');
    }
  }

  async log(line: string): Promise<void> {
    await appendFile(join(this.root, 'server.log'), `${line}\n`);
  }

  async stop(): Promise<void> {
    this.#listener.close();
    await once(this.#listener, 'close');
  }
}
