/**
 * Messages between a worker and the thread that started it. They arrive in the order in which they were sent: the
 * number of a message says which it is. What has no room in a message, the addresses of its shared buffers, lies in
 * shared memory under that number.
 */
import { Op } from '../../data/threads/trace.ts';
import { sharedParts } from '../../monitor/threads/memory.ts';
import type { Part } from './part.ts';

/** From the parent to the worker, or from the worker to its parent. */
export type Direction = 'down' | 'up';

/** Words: the next free one; then of each letter its message, the count of its buffers, and their addresses. */
const NEXT = 0;
const FIRST = 1;
export const MAIL_WORDS = 1 << 18;

const MESSAGES = 1 << 16;
/** Numbers of messages are negative: they are channels of their own beside places in memory. */
const messageOf = (worker: number, direction: Direction, ordinal: number): number =>
  -1 - ((worker * 2 + Number(direction === 'up')) * MESSAGES + (ordinal % MESSAGES));

/** What a report calls a message. */
export function messageName(message: number, threads: readonly string[]): string {
  const line = Math.floor(-(message + 1) / MESSAGES);
  const worker = threads[line >> 1];
  return `message ${(-(message + 1) % MESSAGES) + 1} ${line % 2 === 0 ? 'to' : 'from'} ${worker}`;
}

/** One end of the two lines between a worker and its parent. */
export class Mail {
  private readonly part: Part;
  private readonly worker: number;
  private readonly peer: number;
  private sentSoFar = 0;
  private receivedSoFar = 0;
  /** Where the letter of the next message may lie. */
  private cursor = FIRST;

  /** `worker`: the one that the lines lead to; `peer`: who is at their other end. */
  constructor(part: Part, worker: number, peer: number) {
    this.part = part;
    this.worker = worker;
    this.peer = peer;
  }

  /** The step before a message is sent. */
  send(direction: Direction, value: unknown): void {
    const { holder, views } = this.part;
    holder.step();
    const message = messageOf(this.worker, direction, this.sentSoFar++);
    holder.log(Op.Send, message, 0);
    holder.rouse(this.peer);
    const { buffers } = sharedParts(value);
    if (buffers.length === 0) return;
    this.post(
      message,
      buffers.map((buffer) => views.addressOf(buffer)),
    );
  }

  /** The step before a message is handed to the program. */
  receive(direction: Direction, value: unknown): void {
    const { holder, views } = this.part;
    holder.step();
    const message = messageOf(this.worker, direction, this.receivedSoFar++);
    holder.log(Op.Receive, message, 0);
    const { buffers } = sharedParts(value);
    if (buffers.length === 0) return;
    const addresses = this.find(message);
    for (const [at, buffer] of buffers.entries())
      if (addresses[at] !== undefined) views.adopt(buffer, addresses[at]);
  }

  private post(message: number, addresses: readonly number[]): void {
    const { mail } = this.part.execution;
    const at = Math.max(FIRST, mail[NEXT]!);
    const end = at + 2 + addresses.length;
    if (end > mail.length) {
      this.part.notes.tell({ unseen: 'shared memory in many messages' });
      return;
    }
    mail[at] = message;
    mail[at + 1] = addresses.length;
    for (const [i, address] of addresses.entries()) mail[at + 2 + i] = address;
    mail[NEXT] = end;
  }

  private find(message: number): number[] {
    const { mail } = this.part.execution;
    for (let at = this.cursor; at < mail[NEXT]!; at += 2 + mail[at + 1]!) {
      if (mail[at] !== message) continue;
      this.cursor = at + 2 + mail[at + 1]!;
      return Array.from({ length: mail[at + 1]! }, (_, i) => mail[at + 2 + i]!);
    }
    return [];
  }
}
