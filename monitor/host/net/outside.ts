/**
 * Reading what another process writes: Node reads one buffer, which is held until its turn. Once that process has
 * ended, all that it wrote is in the kernel, and is read to its end: then nothing more can come (C12).
 */

import type { After } from '../../../data/feasibility/exact/arrivals.ts';
import { issueArrival } from '../arrival.ts';
import type { Elapsed } from '../elapsed.ts';
import type { RequestOrigin } from '../naming.ts';
import type { HostRequest } from '../request.ts';
import { afterRounds } from '../rounds.ts';
import { CHILD_CLOCK, tellsTime } from '../told-time.ts';
import type { End, OutsideReader } from './end.ts';
import type { Ends } from './ends.ts';

const realDate = Date.now;

interface Piece {
  readonly nread: number;
  readonly offset: number;
  readonly bytes: ArrayBuffer | undefined;
  readonly after: After;
  readonly since: number;
  readonly behind: HostRequest | null;
}

/** Turns of the real loop in which what the kernel has is read. */
export const READING_TURNS = 3;

const isData = (each: unknown): each is string | ArrayBufferView =>
  typeof each === 'string' || ArrayBuffer.isView(each);

export class Outside implements OutsideReader {
  private readonly host: Ends;
  private readonly end: End;
  private readonly origin: RequestOrigin;
  private readonly elapsed: Elapsed;
  private readonly held: Piece[] = [];
  ending: OutsideReader['ending'] = null;
  private request: HostRequest | null = null;
  private count = 0;
  /** A step of the other process that is being taken: what it writes now comes behind. */
  step: () => HostRequest | null = () => null;
  /** What was handed out last comes first in every order. */
  previous: HostRequest | null = null;
  /** Something was handed out, or is not wanted any more: it may owe less. */
  eased = (): void => {};
  /** The program has read from here. */
  private used = false;
  /** The other process has ended. */
  private over = false;

  constructor(host: Ends, end: End, origin: RequestOrigin, elapsed: Elapsed) {
    this.host = host;
    this.end = end;
    this.origin = origin;
    this.elapsed = elapsed;
  }

  /** Whether nothing more can come. A process that the other one started may have kept the pipe open. */
  get isSilent(): boolean {
    const { queued, ended } = this.end;
    return queued === 0 && (ended || (this.over && !this.used));
  }

  /**
   * The process that had the other end alone has ended, and it is natively read before that is told (C4): what it wrote, and that
   * it closed a pipe through which nothing came. The end of one that brought something takes another round.
   */
  get owes(): boolean {
    const { end, held, previous } = this;
    if (!end.reading || end.closed || held.length === 0) return false;
    return previous === null || held.some(({ nread }) => nread > 0);
  }

  /** Bytes that were read and not handed out: the program must not see them counted (C15). */
  get ahead(): number {
    return this.held.reduce((sum, { nread }) => sum + Math.max(0, nread), 0);
  }

  /** The program writes to there: bytes or text, or a list of both. */
  wrote(what: unknown): void {
    this.elapsed.anew();
    const isTold = [what].flat().some((each) => isData(each) && tellsTime(each, realDate()));
    if (isTold) this.host.controller.otherClock(CHILD_CLOCK);
  }

  /** The program wants to read. */
  start(): void {
    this.used = true;
    this.offer();
    if (this.held.length === 0 || this.over) this.read();
  }

  /** It does not want to any more. */
  stop(): void {
    this.end.stopReading?.();
    if (this.request) this.host.controller.cancel(this.request);
    this.request = null;
    this.eased();
  }

  /** The other process has ended. */
  hasEnded(): void {
    this.over = true;
    this.read();
  }

  /** The run is over: what is held is handed out natively. */
  release(): void {
    this.stop();
    if (this.held.length > 0 && this.end.reading)
      this.host.later(() => {
        while (this.held.length > 0) this.tell();
      });
  }

  private read(): void {
    const { host, end } = this;
    if (!end.reading || end.ended || !end.handle || end.closed) return;
    const came = this.over ? this.expect() : () => {};
    if (end.stopReading) return;
    host.readOnce(end, end.handle, (nread, offset, bytes) => {
      const { after, since } = this.elapsed;
      this.held.push({ nread, offset, bytes, after, since, behind: this.step() });
      if (nread < 0) end.ended = true;
      this.offer();
      if (this.over) this.read();
      came();
    });
  }

  /** What the kernel has will be here soon. */
  private expect(): () => void {
    const came = this.host.controller.expect();
    afterRounds(READING_TURNS, this.host.later, came);
    return came;
  }

  private offer(): void {
    const [next] = this.held;
    if (this.request || !next || !this.end.reading || this.end.closed) return;
    const { controller } = this.host;
    const { what, context } = this.end;
    const name = `${this.origin.name}+${this.count++}`;
    this.request = issueArrival(controller, {
      ...{ api: 'net.read', what, origin: { ...this.origin, name }, context },
      how: { by: 'handle', after: next.after },
      ...{ since: next.since, behind: next.behind ?? this.previous },
      happen: (done) => done(),
      deliver: () => {
        this.previous = this.request;
        this.request = null;
        try {
          this.tell();
        } finally {
          if (this.end.reading && !this.end.closed) this.start();
          this.eased();
        }
      },
    });
  }

  private tell(): void {
    const piece = this.held.shift();
    const { end, host } = this;
    if (!piece || end.closed || !end.handle) return;
    const { bytes, nread, offset } = piece;
    if (bytes && nread > 0 && tellsTime(new Uint8Array(bytes, offset, nread), realDate()))
      host.controller.otherClock(CHILD_CLOCK);
    const { state, kReadBytesOrError, kArrayBufferOffset } = host.binding;
    state[kReadBytesOrError] = piece.nread;
    state[kArrayBufferOffset] = piece.offset;
    end.handle.onread(piece.bytes);
  }
}
