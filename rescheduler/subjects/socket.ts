/**
 * Requests and answers over a local socket, for processes whose IPC channel is their runner's own. A message is its length and
 * what `v8.serialize` makes of it.
 */
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

const HEAD_BYTES = 4;

type HearMessage = (message: unknown) => void;

/** The message as bytes. */
function framed(message: unknown): Buffer {
  const body = serialize(message);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(body.length);
  return Buffer.concat([head, body]);
}

/** Calls `hear` with each message that comes. */
function read(socket: Socket, hear: HearMessage): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + rest.readUInt32LE(0);
      if (rest.length < end) return;
      const body = rest.subarray(HEAD_BYTES, end);
      rest = rest.subarray(end);
      hear(deserialize(body));
    }
  });
}

/** Where a process waits that serves; what is sent before it has come is kept for it. */
export class Exchange {
  private readonly server: Server;
  private readonly connections = new Set<Socket>();
  private peer: Socket | null = null;
  private kept: Buffer[] = [];
  private isHeld = true;

  /** `lost`: the process that served is gone. */
  constructor(path: string, hear: HearMessage, lost: () => void) {
    this.server = createServer((socket) => {
      this.connections.add(socket);
      this.hold(this.isHeld);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.connections.delete(socket);
        if (this.peer === socket) lost();
      });
      read(socket, (message) => {
        // The first word of a process that can serve. There may be others, which cannot.
        if (this.peer === null) this.found(socket);
        else hear(message);
      });
    });
    this.server.on('error', lost);
    this.server.listen(path);
  }

  send(message: unknown): void {
    if (this.peer) this.peer.write(framed(message));
    else this.kept.push(framed(message));
  }

  /** Whether it keeps this process alive. */
  hold(on: boolean): void {
    this.isHeld = on;
    for (const each of [this.server, ...this.connections]) on ? each.ref() : each.unref();
  }

  close(): void {
    this.server.close();
    for (const each of this.connections) each.destroy();
  }

  private found(socket: Socket): void {
    this.peer = socket;
    for (const bytes of this.kept) socket.write(bytes);
    this.kept = [];
  }
}

export interface ServingConnection {
  send(message: unknown): void;
  /** From here on messages are heard. */
  hear(hear: HearMessage): void;
  close(): void;
}

/** The other end. */
export function connectTo(path: string, lost: () => void): ServingConnection {
  const socket = createConnection(path);
  socket.on('error', () => {});
  let isClosed = false;
  socket.on('close', () => {
    if (!isClosed) lost();
  });
  return {
    send: (message) => void socket.write(framed(message)),
    hear: (hear) => read(socket, hear),
    close() {
      isClosed = true;
      socket.destroy();
    },
  };
}
