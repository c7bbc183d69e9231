/** A port of this thread whose messages are held: they are handed out together, as Node does, when their turn has come. */

import { receiveMessageOnPort } from 'node:worker_threads';
import type { Context } from '../../../monitor/host/context.ts';
import { watchBirths } from '../../../monitor/host/port-births.ts';
import type { Dispatch } from '../../../monitor/symbols.ts';
import { RECEIVING, symbolOf } from '../../../monitor/symbols.ts';
import { native } from '../../gate/native.ts';
import { isInForce, RULE } from '../../tokens/control.ts';
import { portsComing } from '../ports.ts';
import type { ArrivalSource } from './arrivals.ts';

export type Port = object & { hasRef(): boolean; listenerCount(type: string): number };

/** Where messages of a port are counted. */
export interface Line {
  /** How many were sent and not received. */
  waiting(): number;
  /** The other end is closed. */
  isClosed(): boolean;
  /** The step before a message is handed to the program. */
  receive(value: unknown, ports: unknown): void;
  /** The step by which this end is closed. */
  close(): void;
  /** The step before this end learns that the other one is closed. */
  closed(): void;
}

/** A message, or that the port is closed, as Node handed it to the port. */
interface PortEvent {
  readonly value: unknown;
  readonly type: string;
  readonly event: unknown;
  readonly ports: unknown;
}

/** What a port is told as it is made; `closes`: its handle is about to be closed. */
interface Made extends Pick<ArrivalSource, 'name' | 'what' | 'context'> {
  readonly made: number;
  readonly closes: (ending: ArrivalSource) => void;
  /** Words of the execution, in which the rules are. */
  readonly words: Int32Array;
}

/** So many messages Node hands out one behind the other, at most. */
const MOST = 1000;

// The original: what the program calls is wrapped.
const receive = receiveMessageOnPort;
/** As Node tells that a port is closed. */
const closed = (event = new Event('close')) => ({ event, type: 'close', value: event });
const { close } = globalThis.MessagePort.prototype;

export class PortBox implements ArrivalSource {
  readonly kind = 'external';
  readonly api = 'message';
  readonly isPrompt = true;
  readonly made: number;
  readonly what: string;
  readonly name: string;
  readonly context: Context;
  /** Node hands out what comes. */
  isStarted = false;
  /** What comes first. */
  behind: ArrivalSource | null = null;
  /** That it is closed. */
  readonly ending: ArrivalSource;
  /** Its own thread has closed it, or sent it away: what comes behind the present round is not for this port. */
  private gone: 'shut' | 'sent' | null = null;
  /** `closing`: its handle is, in the next closing phase. */
  private stage: 'open' | 'closing' | 'closed' = 'open';
  private readonly closes: (ending: ArrivalSource) => void;
  private readonly words: Int32Array;
  private readonly port: Port;
  private readonly line: Line;
  private readonly dispatch: Dispatch;
  /** What Node has handed over. */
  private readonly held: PortEvent[] = [];
  private closing: PortEvent | null = null;

  constructor(
    port: Port,
    line: Line,
    dispatch: Dispatch,
    { name, what, context, made, closes, words }: Made,
  ) {
    this.port = port;
    this.line = line;
    this.dispatch = dispatch;
    this.name = name;
    this.what = what;
    this.context = context;
    this.made = made;
    this.closes = closes;
    this.words = words;
    this.ending = {
      ...{ kind: 'close', api: 'MessagePort', what, name: `${name}+close`, context },
      isReady: () => this.stage === 'closing',
      isHere: () => true,
      lingers: () => false,
      tell: () => this.tellEnd(),
    };
  }

  /** Node hands something to the port; false: more than was sent. */
  hold(value: unknown, type: string, event: unknown): boolean {
    const held = { value, type, event, ports: portsComing(this.port) };
    if (type === 'close') this.closing = held;
    else this.held.push(held);
    return this.held.length <= this.line.waiting() || this.line.isClosed();
  }

  isReady(): boolean {
    return this.waits() ? this.isStarted : this.stage === 'open' && this.line.isClosed();
  }

  isHere(): boolean {
    return !this.waits() || this.fetch();
  }

  /** Its own thread closes it, or has sent it away. */
  go(how: 'shut' | 'sent'): void {
    if (this.stage !== 'open') return;
    this.gone = how;
    this.close();
  }

  /** One whose other end is closed does not keep its thread alive any more, whether Node has told it already or not. */
  lingers(): boolean {
    const isClosed = this.line.isClosed() && isInForce(this.words, RULE.alive);
    return this.isStarted && this.port.hasRef() && (this.waits() || !isClosed);
  }

  tell(): void {
    // Who closes the port in the middle gets the rest of the round.
    const open = this.gone === null;
    const most = isInForce(this.words, RULE.together) ? MOST : 1;
    for (let told = 0; open && told < most && this.line.waiting() > 0 && this.fetch(); told++) {
      const { event, ports, type, value } = this.next();
      this.line.receive(value, ports);
      this.hand(value, type, event, ports);
      // Ticks and microtasks may send more.
      native.drain();
    }
    if (this.waits() || this.stage !== 'open' || !this.line.isClosed()) return;
    this.line.closed();
    this.close();
  }

  /** The next message for a program that asks for it. */
  take(): { message: unknown } | undefined {
    if (!this.waits() || !this.fetch()) return undefined;
    const { ports, value } = this.next();
    this.line.receive(value, ports);
    return { message: value };
  }

  /** The thread of this end is through. */
  end(): void {
    close.call(this.port as never);
  }

  private close(): void {
    this.stage = 'closing';
    this.closes(this.ending);
  }

  private tellEnd(): void {
    this.stage = 'closed';
    if (this.gone === 'shut') this.line.close();
    const { event, type, value } = this.closing ?? closed();
    this.hand(value, type, event, undefined);
  }

  /** A message was sent that will be handed out. */
  private waits(): boolean {
    return this.gone === null && this.line.waiting() > 0;
  }

  /** Whether the next message is there. */
  private fetch(): boolean {
    return this.held.length > 0 || this.receive();
  }

  private next(): PortEvent {
    if (isInForce(this.words, RULE.fifo)) return this.held.shift()!;
    while (this.receive());
    return this.held.pop()!;
  }

  /** Takes a message from Node; false: there is none. */
  private receive(): boolean {
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
