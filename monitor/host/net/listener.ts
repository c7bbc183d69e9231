/** A server handle of the run and the connections that wait for it, in the order in which they were made. */
import { issueArrival, Once } from '../arrival.ts';
import type { Context } from '../context.ts';
import type { RequestOrigin } from '../naming.ts';
import type { HostRequest } from '../request.ts';
import { type Call, type Handle, sendAtOnce } from './binding.ts';
import { End } from './end.ts';
import type { Ends } from './ends.ts';

/** A connection that the kernel has accepted. */
interface WaitingClient {
  readonly end: End;
  /** Port of the client; 0 for a pipe. */
  readonly from: number;
  readonly origin: RequestOrigin;
  /** What Node's server gets: an error code and the handle. */
  readonly accepted: Once<readonly [number, Handle | undefined]>;
}

export class Listener {
  readonly handle: Handle;
  /** Port or path, under which clients find it. */
  readonly key: string | number;
  readonly what: string;
  private readonly host: Ends;
  private readonly context: Context;
  /** What Node calls; a cluster puts another function there when the server listens. */
  private onconnection: Call;
  private readonly queue: WaitingClient[] = [];
  private offered: HostRequest | null = null;

  constructor(host: Ends, handle: Handle, key: string | number, what: string, context: Context) {
    this.host = host;
    this.handle = handle;
    this.key = key;
    this.what = what;
    this.context = context;
    this.onconnection = handle.onconnection as Call;
    const connected = (called: Call) => (status: number, accepted?: Handle) => {
      // Whoever put his own there calls what he found: that is no connection more.
      const isNews = called === this.onconnection;
      if (isNews && this.arrived(status, accepted)) return;
      if (isNews) host.stranger(accepted);
      called.call(handle, status, accepted);
    };
    Object.defineProperty(handle, 'onconnection', {
      ...{ configurable: true, enumerable: true },
      get: () => connected(this.onconnection),
      set: (called: Call) => {
        this.onconnection = called;
      },
    });
  }

  /**
   * A client of this process has connected from a port (0: a pipe): the kernel holds the connection. Answers with the
   * accept that comes next: a server of this process has news before any client that connects from now on.
   */
  dial(client: End, from: number, origin: RequestOrigin): HostRequest | null {
    const end = new End(null, this.what, this.context);
    end.peer = client;
    end.opaque = client.opaque;
    client.peer = end;
    this.queue.push({ end, from, origin, accepted: new Once() });
    this.offer();
    return this.offered;
  }

  /** Node has taken a connection from the kernel. False where no client of this process made it. */
  private arrived(error: number, handle: Handle | undefined): boolean {
    const from = handle ? peerOf(handle) : 0;
    // The kernel hands them over in order; a client that is gone already has no name.
    const waiting = this.queue.find((w) => !w.accepted.here && (from === 0 || w.from === from));
    if (!waiting) return false;
    if (handle) {
      waiting.end.handle = handle;
      this.host.ends.set(handle, waiting.end);
      handle._consumed = true;
      sendAtOnce(handle, this.host.raw['setNoDelay']);
    }
    waiting.accepted.come([error, handle]);
    return true;
  }

  /** One connection is accepted per round of the loop, first come, first served. */
  private offer(): void {
    const [first] = this.queue;
    if (!first || this.offered) return;
    const { end, origin, accepted } = first;
    this.offered = issueArrival(this.host.controller, {
      ...{ api: 'net.accept', what: this.what, origin, context: this.context },
      how: { by: 'handle', local: true },
      happen: (done) => accepted.await(done),
      deliver: () => {
        this.offered = null;
        this.queue.shift();
        this.host.connected(end);
        try {
          this.accept(accepted);
        } finally {
          this.host.wake(end);
          this.offer();
        }
      },
    });
  }

  private accept({ value }: WaitingClient['accepted']): void {
    this.onconnection.apply(this.handle, [...(value as readonly unknown[])]);
  }

  /** The server closes: the kernel resets what nobody accepted. */
  close(): void {
    if (this.offered) this.host.controller.cancel(this.offered);
    this.offered = null;
    const { raw } = this.host;
    for (const { end, accepted } of this.queue.splice(0)) {
      const handle = accepted.value?.[1];
      end.closed = true;
      end.finished = true;
      if (handle) {
        this.host.ends.delete(handle);
        (handle.getpeername ? raw['reset']! : raw['close']!).call(handle);
      }
      this.host.tell(end.peer);
    }
  }

  /** The run is over: everything is Node's again. */
  detach(): void {
    const { handle, onconnection: value } = this;
    Object.defineProperty(handle, 'onconnection', { value, writable: true });
    for (const { accepted } of this.queue.splice(0)) accepted.await(() => this.accept(accepted));
  }
}

function peerOf(handle: Handle): number {
  const out: { port?: number } = {};
  return handle.getpeername?.(out) === 0 ? (out.port ?? 0) : 0;
}
