/** What was sent to a socket for datagrams and not handed out yet, in the order in which it was sent. */
import { issueArrival, Once } from './arrival.ts';
import type { Context } from './context.ts';
import type { HostDoubts, HostRequests } from './controller.ts';
import type { RequestOrigin } from './naming.ts';
import { type Call, portOf } from './net/binding.ts';
import type { HostRequest } from './request.ts';

/** A socket for datagrams, as Node's own JavaScript knows it. */
export interface DatagramHandle {
  onmessage: Call;
  getsockname(out: Partial<SocketName>): number;
  getpeername(out: Partial<SocketName>): number;
  hasRef(): boolean;
}

interface SocketName {
  readonly address: string;
  readonly family: string;
  readonly port: number;
}

/** Rounds of the loop in which what the kernel has comes; what did not come then it threw away: its buffer was full. */
const ROUNDS = 8;

/** So many datagrams libuv reads one behind the other, at most. */
const MOST = 32;

interface Datagram {
  readonly origin: RequestOrigin;
  /** Where it is going, for people. */
  readonly what: string;
  /** Port of the sender. */
  readonly from: number;
  /** What Node gets, and in which context. */
  readonly arrived: Once<Received>;
}

interface Received {
  readonly values: readonly unknown[];
  readonly context: Context;
}

export interface Content {
  readonly bytes: Buffer;
  readonly from: SocketName;
}

/** What of a datagram is known when it is sent. */
export interface Sent {
  readonly origin: RequestOrigin;
  readonly what: string;
  readonly from: number;
  /** What will come, where that is known; called at most once, within the call that sends. */
  foresee(): Content | null;
}

export class Inbox {
  /** That of its socket, which is bound by now. */
  readonly port: number;
  private readonly controller: HostRequests & HostDoubts;
  private readonly handle: DatagramHandle;
  private readonly capture: () => Context;
  private readonly later: (fn: () => void) => void;
  private readonly onmessage: Call;
  /** What the kernel took and did not bring so far. */
  private underWay: Datagram[] = [];
  /** What was not handed out so far. */
  private queue: Datagram[] = [];
  private offered: HostRequest | null = null;
  private reading = false;

  /** `unforeseen`: something came that nobody in this process was seen to send. */
  constructor(
    controller: HostRequests & HostDoubts,
    handle: DatagramHandle,
    capture: () => Context,
    later: (fn: () => void) => void,
    unforeseen: () => void,
  ) {
    this.controller = controller;
    this.handle = handle;
    this.port = portOf(handle);
    this.capture = capture;
    this.later = later;
    const { onmessage } = handle;
    this.onmessage = onmessage;
    handle.onmessage = (...values: unknown[]) => {
      const from = (values[3] as { port?: number } | undefined)?.port;
      const datagram = this.underWay.find((each) => each.from === from);
      if (datagram) this.arrive(datagram, values);
      else {
        unforeseen();
        onmessage.apply(handle, values);
      }
    };
  }

  /** The kernel has taken a datagram that goes here. */
  send({ origin, what, from, foresee }: Sent): void {
    const datagram: Datagram = { origin, what, from, arrived: new Once() };
    this.underWay.push(datagram);
    this.queue.push(datagram);
    this.later(() => this.look(datagram, ROUNDS));
    // It is read on, until there is nothing more.
    const content = this.reading ? foresee() : null;
    if (content) {
      const values = [content.bytes.length, this.handle, content.bytes, { ...content.from }];
      datagram.arrived.come({ values, context: this.capture() });
    }
    this.offer();
  }

  /** It is closed: what was not handed out is lost. */
  close(): void {
    if (this.offered) this.controller.cancel(this.offered);
    this.offered = null;
    this.queue = [];
  }

  /** The run is over: everything is Node's again. */
  drop(): void {
    for (const { arrived } of this.queue.splice(0))
      arrived.await(() => this.onmessage.apply(this.handle, [...arrived.value!.values]));
    this.offered = null;
  }

  private arrive(datagram: Datagram, values: readonly unknown[]): void {
    this.underWay = this.underWay.filter((other) => other !== datagram);
    if (!datagram.arrived.here) datagram.arrived.come({ values, context: this.capture() });
  }

  private look(datagram: Datagram, rounds: number): void {
    if (!this.underWay.includes(datagram)) return;
    if (rounds > 0) this.later(() => this.look(datagram, rounds - 1));
    else {
      this.controller.doubt('datagrams that the kernel threw away');
      this.queue = this.queue.filter((other) => other !== datagram);
      this.arrive(datagram, []);
    }
  }

  /** One reading of the kernel takes all that is there, and what the callbacks send here meanwhile. */
  private offer(): void {
    const [first] = this.queue;
    if (!first || this.offered || this.reading) return;
    const { origin, what } = first;
    this.offered = issueArrival(this.controller, {
      ...{ api: 'dgram.message', what, origin, how: { by: 'handle', local: true } },
      context: (fn) => this.contextOf(first)(fn),
      happen: (done) => (this.queue.at(-1) ?? first).arrived.await(done),
      deliver: () => {
        this.offered = null;
        this.reading = true;
        try {
          this.read();
        } finally {
          this.reading = false;
          this.offer();
        }
      },
    });
  }

  private read(): void {
    const { controller } = this;
    if (!controller.rules.fifo) this.queue.reverse();
    for (let left = MOST; left > 0 && this.queue[0]?.arrived.here; left--) {
      const { arrived } = this.queue.shift()!;
      this.onmessage.apply(this.handle, [...arrived.value!.values]);
      controller.drain();
    }
  }

  /** That of the socket, or, of one that is older than the run, that of the run. */
  private contextOf({ arrived }: Datagram): Context {
    const { controller } = this;
    const context = arrived.value?.context ?? controller.base;
    return context(() => controller.active('dgram.message')) ? context : controller.base;
  }
}
