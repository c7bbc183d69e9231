/** A port of this thread whose messages are held: they are handed out together, as Node does, when their turn has come. */
import { receiveMessageOnPort } from 'node:worker_threads';
import type { Context } from '../../../monitor/host/context.ts';
import { watchBirths } from '../../../monitor/host/port-births.ts';
import { RECEIVING, symbolOf } from '../../../monitor/symbols.ts';
import { native } from '../../gate/native.ts';
import { portsComing } from '../ports.ts';
import type { Source } from './arrivals.ts';

export type Port = object & { hasRef(): boolean; listenerCount(type: string): number };

/** Where messages of a port are counted. */
export interface Line {
  /** How many were sent and not received. */
  waiting(): number;
  /** The other end is closed. */
  isClosed(): boolean;
  /** The step before a message is handed to the program. */
  receive(value: unknown, ports: unknown): void;
  isOwn(): boolean;
  /** The step before the program is told that the port is closed. */
  closed(): void;
}

/** A message, or that the port is closed, as Node handed it to the port. */
interface Event {
  readonly value: unknown;
  readonly type: string;
  readonly event: unknown;
  readonly ports: unknown;
}

type Dispatch = (this: object, value: unknown, type: string, event: unknown) => unknown;

/** So many messages Node hands out one behind the other, at most. */
const MOST = 1000;

// The original: what the program calls is wrapped.
const receive = receiveMessageOnPort;
/** As Node tells that a port is closed. */
const closed = (event = new Event('close')) => ({ event, type: 'close', value: event });
const { close } = globalThis.MessagePort.prototype;

export class PortBox implements Source {
  readonly api = 'message';
  readonly what: string;
  readonly name: string;
  readonly context: Context;
  /** Node hands out what comes. */
  isStarted = false;
  /** Nothing else has to come first. */
  mayTell: () => boolean = () => true;
  /** Its own thread has closed it: what comes behind the present round is lost. */
  isShut = false;
  private readonly port: Port;
  private readonly line: Line;
  private readonly dispatch: Dispatch;
  /** What Node has handed over. */
  private readonly held: Event[] = [];
  private closing: Event | null = null;
  private isOver = false;

  constructor(
    port: Port,
    line: Line,
    dispatch: Dispatch,
    { name, what, context }: Pick<Source, 'name' | 'what' | 'context'>,
  ) {
    this.port = port;
    this.line = line;
    this.dispatch = dispatch;
    this.name = name;
    this.what = what;
    this.context = context;
  }

  /** Node hands something to the port; false: more than was sent. */
  hold(value: unknown, type: string, event: unknown): boolean {
    const held = { value, type, event, ports: portsComing(this.port) };
    if (type === 'close') this.closing = held;
    else this.held.push(held);
    return this.held.length <= this.line.waiting() || this.line.isClosed();
  }

  isReady(): boolean {
    if (!this.mayTell()) return false;
    if (this.isStarted && this.waits()) return true;
    return !this.isOver && this.line.isClosed() && this.port.listenerCount('close') > 0;
  }

  isHere(): boolean {
    if (this.waits()) return this.fetch();
    // Node tells of a far end when the loop of the other thread goes on, which may wait for this one.
    return this.closing !== null || !this.isShut;
  }

  isOwn(): boolean {
    return this.line.isOwn();
  }

  /** One whose other end is closed does not keep its thread alive any more, whether Node has told it already or not. */
  lingers(): boolean {
    return this.isStarted && this.port.hasRef() && !(this.line.isClosed() && !this.waits());
  }

  tell(): void {
    // Who closes the port in the middle gets the rest of the round.
    const open = !this.isShut;
    for (let told = 0; open && told < MOST && this.line.waiting() > 0 && this.fetch(); told++) {
      if (told > 0) native.drain();
      const { event, ports, type, value } = this.held.shift()!;
      this.line.receive(value, ports);
      this.hand(value, type, event, ports);
    }
    if (this.waits() || !this.line.isClosed() || (this.closing === null && this.isShut)) return;
    this.isOver = true;
    const { event, type, value } = this.closing ?? closed();
    this.closing = null;
    this.line.closed();
    this.hand(value, type, event, undefined);
  }

  /** The next message for a program that asks for it. */
  take(): { message: unknown } | undefined {
    if (!this.waits() || !this.fetch()) return undefined;
    const { ports, value } = this.held.shift()!;
    this.line.receive(value, ports);
    return { message: value };
  }

  /** The thread of this end is through. */
  end(): void {
    close.call(this.port as never);
  }

  /** A message was sent that will be handed out. */
  private waits(): boolean {
    return !this.isShut && this.line.waiting() > 0;
  }

  /** Whether the next message is there. */
  private fetch(): boolean {
    if (this.held.length > 0) return true;
    // Node hands over the message alone: the ports that came with it are those that are made meanwhile.
    const ports: object[] = [];
    const stop = watchBirths((port) => ports.push(port));
    const got = receive(this.port as never);
    stop();
    if (got) this.held.push({ value: got.message, type: 'message', event: undefined, ports });
    return got !== undefined;
  }

  private hand(value: unknown, type: string, event: unknown, ports: unknown): void {
    const receiving = symbolOf(this.port, RECEIVING);
    const port = this.port as Record<symbol, unknown>;
    if (receiving) port[receiving] = ports;
    try {
      this.dispatch.call(this.port, value, type, event);
    } finally {
      if (receiving) port[receiving] = undefined;
    }
  }
}
