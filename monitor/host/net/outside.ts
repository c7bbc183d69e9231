/** Reading what another process writes: Node reads one buffer, which is held until its turn. */
import { issueArrival, type Origin } from '../arrival.ts';
import type { HostRequest } from '../request.ts';
import type { End } from './end.ts';
import type { NetHost } from './net-host.ts';

export class Outside {
  private readonly host: NetHost;
  private readonly end: End;
  private readonly origin: Origin;
  private held: {
    readonly nread: number;
    readonly offset: number;
    readonly bytes: ArrayBuffer | undefined;
  } | null = null;
  private request: HostRequest | null = null;
  private count = 0;

  constructor(host: NetHost, end: End, origin: Origin) {
    this.host = host;
    this.end = end;
    this.origin = origin;
  }

  /** The program wants to read. */
  start(): void {
    const { host, end } = this;
    if (this.held) this.offer();
    else if (!end.stopReading && !end.ended && end.handle)
      host.readOnce(end, end.handle, (nread, offset, bytes) => {
        this.held = { nread, offset, bytes };
        if (nread < 0) end.ended = true;
        this.offer();
      });
  }

  /** It does not want to any more. */
  stop(): void {
    this.end.stopReading?.();
    if (this.request) this.host.controller.cancel(this.request);
    this.request = null;
  }

  /** The run is over: what is held is handed out natively. */
  release(): void {
    this.stop();
    if (this.held && this.end.reading) this.host.later(() => this.tell());
  }

  private offer(): void {
    if (this.request || !this.end.reading || this.end.closed) return;
    const { controller } = this.host;
    const { what, context } = this.end;
    const name = `${this.origin.name}+${this.count++}`;
    this.request = issueArrival(controller, {
      ...{ kind: 'external', api: 'net.read', what, origin: { ...this.origin, name }, context },
      happen: (done) => done(),
      deliver: () => {
        this.request = null;
        this.tell();
        if (this.end.reading && !this.end.closed) this.start();
      },
    });
  }

  private tell(): void {
    const { held, end, host } = this;
    this.held = null;
    if (!held || end.closed || !end.handle) return;
    const { state, kReadBytesOrError, kArrayBufferOffset } = host.binding;
    state[kReadBytesOrError] = held.nread;
    state[kArrayBufferOffset] = held.offset;
    end.handle.onread(held.bytes);
  }
}
