/**
 * Messages between threads. A line carries what arrives at one end: at a worker or its parent, at one of the two ports
 * of a channel. Messages arrive in the order in which they were sent: the ordinal of a message on its line says which it
 * is. What has no room in a message, the addresses of its shared buffers and the ends of its ports, lies in shared
 * memory as its letter.
 */
import { Op } from '../../data/threads/trace.ts';
import { sharedParts } from '../../monitor/threads/memory.ts';
import { portsTransferred } from '../../monitor/transfers.ts';
import type { Thread } from './thread.ts';

/** What a line needs of its thread. */
type LineThread = Pick<Thread, 'execution' | 'holder' | 'notes' | 'self' | 'views'>;

/** Workers have the first lines: two each. */
export const MOST_WORKERS = 256;
const FIRST_CHANNEL = 2 * MOST_WORKERS;
const MOST_LINES = 1 << 14;
/** The line to a worker, and the one to the thread that started it. */
export const toWorker = (worker: number): number => 2 * worker;
export const toParent = (worker: number): number => 2 * worker + 1;

/** Words: the next line; then of each line the messages sent and received, the thread that reads it, from 1 (0: unknown),
 * and 1 where nothing more will come. */
const NEXT_LINE = 0;
const FIRST_LINE = 1;
const LINE = 4;
const [SENT, RECEIVED, READER, CLOSED] = [0, 1, 2, 3] as const;
export const LINE_WORDS = FIRST_LINE + LINE * MOST_LINES;
const wordsOf = (line: number): number => FIRST_LINE + LINE * line;

/** Words: the next free one; then of each letter its message, its counts of buffers and ports, the addresses and the ends. */
const NEXT = 0;
const FIRST = 1;
const HEAD = 3;
export const MAIL_WORDS = 1 << 18;

const MESSAGES = (1 << 16) - 1;
/** Numbers of messages are negative: they are channels of their own beside places in memory. */
export const messageOf = (line: number, ordinal: number): number =>
  -1 - (line * (MESSAGES + 1) + (ordinal % MESSAGES));

/** That the two ports of a channel are closed; it has the number behind those of messages. */
const closingOf = (line: number): number => messageOf(line & ~1, 0) - MESSAGES;

/** What a report calls a message. `broadcasts`: names of channels, by their lines. */
export function messageName(
  message: number,
  threads: readonly string[],
  broadcasts: ReadonlyMap<number, string>,
): string {
  const line = Math.floor(-(message + 1) / (MESSAGES + 1));
  const ordinal = -(message + 1) % (MESSAGES + 1);
  if (ordinal === MESSAGES) return `closing of channel ${((line - FIRST_CHANNEL) >> 1) + 1}`;
  const what = `message ${ordinal + 1}`;
  if (broadcasts.has(line)) return `${what} over broadcast channel ${broadcasts.get(line)}`;
  if (broadcasts.has(line - 1)) return `opening of broadcast channel ${broadcasts.get(line - 1)}`;
  if (line >= FIRST_CHANNEL) {
    const port = line - FIRST_CHANNEL;
    return `${what} to port ${(port & 1) + 1} of channel ${(port >> 1) + 1}`;
  }
  return `${what} ${line === toWorker(line >> 1) ? 'to' : 'from'} ${threads[line >> 1]}`;
}

// The original: what the program calls is wrapped.
const { add } = Atomics;

/** What crosses with a value: where its shared buffers lie, and which ends its ports are. */
export interface Enclosed {
  readonly addresses: readonly number[];
  readonly ends: readonly number[];
}

export class Lines {
  /** Is told of every port that this thread comes to have, and what arrives there. */
  known: (port: object, line: number) => void = () => {};
  /** Is told of every port that this thread has sent away. */
  left: (port: object) => void = () => {};
  private readonly part: LineThread;
  private readonly words: Int32Array;
  /** Ports of this thread: the line that arrives there. */
  private readonly ends = new WeakMap<object, number>();
  /** Where the letter of the next message of a line may lie. */
  private readonly cursors = new Map<unknown, number>();

  constructor(part: LineThread) {
    this.part = part;
    this.words = part.execution.lines;
  }

  /** Another execution begins. */
  forget(): void {
    this.cursors.clear();
  }

  /** Who reads a line from now on. */
  read(line: number, thread: number): void {
    this.words[wordsOf(line) + READER] = thread + 1;
  }

  /** The two ports of a channel that this thread has made. */
  made(port1: object, port2: object): void {
    const line = this.fresh();
    if (line < 0) return;
    for (const [at, port] of [port1, port2].entries()) this.has(port, line + at);
  }

  /** A line that nobody uses, and the one beside it; -1: there is none. */
  fresh(): number {
    const line = FIRST_CHANNEL + add(this.words, NEXT_LINE, 2);
    if (line + 1 < MOST_LINES) return line;
    this.part.notes.tell({ unseen: 'many message channels' });
    return -1;
  }

  /** The other one of two lines. */
  otherOf(line: number): number {
    return line ^ 1;
  }

  /** How many messages were sent on a line. */
  sentOn(line: number): number {
    return this.words[wordsOf(line) + SENT]!;
  }

  /** How many messages of a line were sent and not received. */
  waiting(line: number): number {
    const at = wordsOf(line);
    return this.words[at + SENT]! - this.words[at + RECEIVED]!;
  }

  /** No more will come on a line. */
  isClosed(line: number): boolean {
    return this.words[wordsOf(line) + CLOSED] === 1;
  }

  /** The step by which a port is closed: nothing more comes to either end. */
  close(line: number): void {
    if (this.isClosed(line)) return;
    const { holder } = this.part;
    holder.step();
    holder.log(Op.Send, closingOf(line), 0);
    for (const each of [line, this.otherOf(line)]) {
      this.words[wordsOf(each) + CLOSED] = 1;
      const reader = this.words[wordsOf(each) + READER]! - 1;
      if (reader >= 0 && reader !== this.part.self) this.part.holder.rouse(reader);
    }
    this.lose(line);
  }

  /** What was sent on a line is received by nobody: ports that are in it are closed. */
  private lose(line: number): void {
    const at = wordsOf(line);
    for (let nth = this.words[at + RECEIVED]!; nth < this.words[at + SENT]!; nth++)
      for (const end of this.find({}, messageOf(line, nth), true).ends) if (end >= 0) this.close(end);
  }

  /** The step before the program is told that a port is closed. */
  closed(line: number): void {
    const { holder } = this.part;
    holder.step();
    holder.log(Op.Receive, closingOf(line), 0);
  }

  /** A thread has ended, and with it all of its ports. */
  closeAll(thread: number): void {
    this.lose(toWorker(thread));
    const lines = Math.min(MOST_LINES, FIRST_CHANNEL + this.words[NEXT_LINE]!);
    for (let line = FIRST_CHANNEL; line < lines; line++)
      if (this.words[wordsOf(line) + READER] === thread + 1) this.close(line);
  }

  /** The line that arrives at a port; -1: it is none that was made by the program. */
  of(port: object): number {
    return this.ends.get(port) ?? -1;
  }

  /** The line to the other end of a port. */
  across(port: object): number {
    return this.otherOf(this.of(port));
  }

  /** The step of sending: `post` hands the value to Node, with what the program tells it to transfer. */
  send<T>(line: number, value: unknown, transfer: unknown, post: () => T): T {
    const { holder } = this.part;
    const letter = this.enclosed([value, portsTransferred(transfer)]);
    const posted = this.sendWith(line, letter, post, () =>
      holder.rouse(this.words[wordsOf(line) + READER]! - 1),
    );
    this.transferred(transfer);
    return posted;
  }

  /** What was transferred to another thread is not here any more. */
  transferred(transfer: unknown): void {
    for (const port of portsTransferred(transfer)) this.left(port);
  }

  /** The same with a letter that is written already; `rouse` tells those who read the line. */
  sendWith<T>(line: number, letter: Enclosed, post: () => T, rouse: () => void): T {
    const { holder } = this.part;
    const at = wordsOf(line);
    holder.step();
    // Node loses what is sent to a port that is closed.
    if (this.isClosed(line)) return post();
    const message = messageOf(line, this.words[at + SENT]!++);
    holder.log(Op.Send, message, 0);
    this.enclose(message, letter);
    let posted: T;
    try {
      posted = post();
    } catch (error) {
      // It cannot be cloned: nothing was sent.
      this.words[at + SENT]! -= 1;
      throw error;
    }
    rouse();
    return posted;
  }

  /** The step before a message is handed to the program; `ports`: those of its event. */
  receive(line: number, value: unknown, ports: unknown): void {
    const { holder } = this.part;
    holder.step();
    const message = messageOf(line, this.words[wordsOf(line) + RECEIVED]!++);
    holder.log(Op.Receive, message, 0);
    const all = [value, portsTransferred(ports)];
    const parts = sharedParts(all);
    if (parts.buffers.length + parts.ports.length === 0) return;
    this.open(all, this.find(line, message));
  }

  /** What a value takes with it to another thread; its ports leave this one. */
  enclosed(value: unknown): Enclosed {
    const { buffers, ports } = sharedParts(value);
    return {
      addresses: buffers.map((buffer) => this.part.views.addressOf(buffer)),
      ends: ports.map((port) => this.of(port)),
    };
  }

  /** Makes what came with a value known to this thread. */
  open(value: unknown, { addresses, ends }: Enclosed): void {
    const { buffers, ports } = sharedParts(value);
    for (const [at, buffer] of buffers.entries())
      if (addresses[at] !== undefined) this.part.views.adopt(buffer, addresses[at]);
    for (const [at, port] of ports.entries())
      if (ends[at] !== undefined && ends[at] >= 0) this.has(port, ends[at]);
  }

  private has(port: object, line: number): void {
    this.ends.set(port, line);
    this.read(line, this.part.self);
    this.known(port, line);
  }

  private enclose(message: number, { addresses, ends }: Enclosed): void {
    if (addresses.length + ends.length === 0) return;
    const { mail } = this.part.execution;
    const at = Math.max(FIRST, mail[NEXT]!);
    const end = at + HEAD + addresses.length + ends.length;
    if (end > mail.length) {
      this.part.notes.tell({ unseen: 'shared memory in many messages' });
      return;
    }
    // One by one: the methods of arrays are wrapped.
    for (const [i, word] of [message, addresses.length, ends.length, ...addresses, ...ends].entries())
      mail[at + i] = word;
    mail[NEXT] = end;
  }

  /** The letter of a message; `reader`: who looks at one after the other; `ahead`: and will look at this one again. */
  find(reader: unknown, message: number, ahead = false): Enclosed {
    const { mail } = this.part.execution;
    for (let at = this.cursors.get(reader) ?? FIRST; at < mail[NEXT]!; ) {
      const [buffers, ports] = [mail[at + 1]!, mail[at + 2]!];
      const list = at + HEAD;
      const next = list + buffers + ports;
      if (mail[at] === message) {
        if (!ahead) this.cursors.set(reader, next);
        return {
          addresses: Array.from({ length: buffers }, (_, i) => mail[list + i]!),
          ends: Array.from({ length: ports }, (_, i) => mail[list + buffers + i]!),
        };
      }
      at = next;
    }
    return { addresses: [], ends: [] };
  }
}
