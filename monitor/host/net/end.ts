/**
 * One end of a connection inside this process. Nothing that arrives is held: the bytes stay in the kernel, where
 * they would be anyway, until the turn in which they are read. An end can be read when its peer has written more
 * than it has read, or has ended; both are known at the moment when they happen.
 */

import type { Context } from '../context.ts';
import type { RequestOrigin } from '../naming.ts';
import type { HostRequest } from '../request.ts';
import type { Handle } from './binding.ts';

/** A request on a handle that is not answered yet. */
export interface Owed {
  /** It will not be delivered by itself. */
  cancel(): void;
  /** The handle has closed: its callback gets this error code, just before the close callback. */
  answer(code: number): void;
  /** The run is over: Node goes on with it. */
  native(): void;
}

/** What was read and not told: bytes, and the end of the stream or an error behind them. */
interface Spare {
  readonly bytes: Uint8Array;
  /** null: there may be more. */
  readonly end: number | null;
}

/** Reading what another process writes: see outside.ts. */
export interface OutsideReader {
  /** Whether nothing more can come. */
  readonly isSilent: boolean;
  /** Told when the program ends what it writes to there, and when the other process can see that. */
  ending: { asked(): void; done(): void } | null;
  /** The program has written to there. */
  wrote(what: unknown): void;
  /** The program wants to read. */
  start(): void;
  /** It does not want to any more. */
  stop(): void;
  /** The run is over: what is held is handed out natively. */
  release(): void;
}

export class End {
  /** Null while the kernel has accepted the connection and this process has not. */
  handle: Handle | null;
  /** The other end; null where it lies in another process. */
  peer: End | null = null;
  /** For people: the port or path of the server. */
  readonly what: string;
  /** Context of what the handle calls back. */
  readonly context: Context;
  /** Bytes written by this end (they are in the kernel or in its queue), and read by it. */
  sent = 0;
  got = 0;
  /** Nothing more will come from this end: its peer reads the end of the stream, or an error. */
  finished = false;
  /** The end of the stream, or an error, was read. */
  ended = false;
  closed = false;
  /** The program was told that it is connected. */
  known = false;
  /** What is spoken over it, where Node keeps that to itself: see opaque.ts. */
  opaque: string | null = null;
  /** The program wants to read. */
  reading = false;
  /** Who made this end readable. */
  news: RequestOrigin | null = null;
  /** The read that is ready, and the one whose turn came last. */
  read: HostRequest | null = null;
  lastRead: HostRequest | null = null;
  /** Read already, beyond what one read brings. */
  spare: Spare | null = null;
  /** Writes that the kernel did not take at once. */
  queued = 0;
  /** A shutdown that waits for them. */
  afterQueue: (() => void) | null = null;
  /** The other end lies in another process, whose writes cannot be foreseen: what comes is held (see outside.ts). */
  outside: OutsideReader | null = null;
  /** The run is over while Node is reading once: reading goes on as natively. */
  stopReading: (() => void) | null = null;
  readonly owed = new Set<Owed>();

  constructor(handle: Handle | null, what: string, context: Context) {
    this.handle = handle;
    this.what = what;
    this.context = context;
  }

  /** The kernel has nothing more to do with this connection. */
  get isHungUp(): boolean {
    const { peer, sent } = this;
    // A pipe whose other end is closed; a socket to whose closed peer something was written.
    return peer?.closed === true && (!this.handle?.getpeername || sent > peer.got);
  }

  /** libuv waits for it: a socket that nobody reads from, and that has nothing left to write, keeps no process alive. */
  get isActive(): boolean {
    const { closed, ended, owed, queued, reading, afterQueue } = this;
    return !closed && (owed.size > 0 || queued > 0 || afterQueue !== null || (reading && !ended));
  }

  get readable(): boolean {
    const { peer } = this;
    if (!peer || !this.reading || this.closed || this.ended) return false;
    return peer.sent > this.got || peer.finished || this.spare !== null;
  }
}
