import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** What the handlers of a server share. The fields have the names that they have in Apache FtpServer. */
export interface ServerState {
  currConnections: number;
  currLogins: number;
  /** Files to retrieve, `<user>.password`, and the log. */
  readonly root: string;
  /** Users whose password was right, and users to whom the end of their session was told. */
  readonly welcomed: Set<string>;
  readonly dismissed: string[];
  log(line: string): Promise<void>;
}

/** Bytes that all connections share. */
const WINDOW = 4096;

/**
 * Serves the requests of one control connection, one after the other, until the client or the timer ends it. Every
 * method bears that the timer closes the connection while it waits; the flawed programs replace one of them.
 */
export class RequestHandler {
  /** Where replies go; null once the connection is closed. */
  writer: Socket | null;
  /** Who has logged in. */
  name: string | null = null;
  /** What is being served. */
  request: string | null = null;
  closed = false;
  protected readonly server: ServerState;
  readonly #socket: Socket;

  constructor(server: ServerState, socket: Socket) {
    this.server = server;
    this.writer = socket;
    this.#socket = socket;
    socket.on('error', () => {});
  }

  async run(): Promise<void> {
    try {
      await this.welcome();
      for await (const line of createInterface({ input: this.#socket })) {
        if (this.closed) break;
        await this.serve(line);
      }
    } finally {
      this.close();
    }
  }

  /** Ends the connection; called by the handler itself and by the timer. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.server.currConnections -= 1;
    if (this.name !== null) {
      this.server.currLogins -= 1;
      this.server.dismissed.push(this.name);
    }
    this.name = null;
    this.request = null;
    this.writer?.end('421 closing\r\n');
    this.writer = null;
  }

  async welcome(): Promise<void> {
    this.server.currConnections += 1;
    this.reply(`220 window of ${this.share().length}`);
  }

  async serve(request: string): Promise<void> {
    this.request = request;
    const [verb, argument = ''] = request.split(' ');
    if (verb === 'LOGIN') await this.login(argument);
    else if (verb === 'RETR') await this.retrieve(argument);
    else this.reply('502 not implemented');
    if (!this.closed) this.request = null;
  }

  /** `LOGIN user:password`, instead of the two requests that FTP has. */
  async login(credentials: string): Promise<void> {
    const [name = '', password] = credentials.split(':');
    const right = (await this.read(`${name}.password`)) === password;
    if (this.closed) return;
    if (!right) return this.reply('530 not logged in');
    this.server.welcomed.add(name);
    this.server.currLogins += 1;
    this.name = name;
    this.reply(`230 hello ${name}`);
  }

  async retrieve(file: string): Promise<void> {
    const { writer } = this;
    const content = await this.read(file);
    if (writer?.writable) writer.write(`226 ${content}\r\n`);
  }

  /** The part of the window that is one connection's. */
  protected share(): Buffer {
    return Buffer.alloc(WINDOW / this.server.currConnections);
  }

  protected async read(file: string): Promise<string> {
    return await readFile(join(this.server.root, file), 'utf8');
  }

  protected reply(line: string): void {
    this.writer?.write(`${line}\r\n`);
  }
}
