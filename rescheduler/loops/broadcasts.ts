/**
 * Messages over broadcast channels. All channels of one name are one line: what is sent arrives at every other one that
 * is open, in the order in which it was sent. Sending, receiving and opening are steps; a message carries, in its letter,
 * which channel sent it, as that one does not receive it.
 */
import { hash } from 'node:crypto';
import { Op } from '../../data/threads/trace.ts';
import { type Lines, MOST_WORKERS, messageOf } from './lines.ts';
import type { Thread } from './thread.ts';

type ChannelThread = Pick<Thread, 'execution' | 'holder' | 'notes' | 'self'>;

/** Words: how many names there are; then of each its hash, its line, the channels opened, and those open by thread. */
const FIRST = 1;
const [HASH, LINE, OPENED, OPEN] = [0, 1, 2, 3] as const;
const GROUP = OPEN + MOST_WORKERS;
const MOST_GROUPS = 64;
export const BROADCAST_WORDS = FIRST + GROUP * MOST_GROUPS;

/** One open channel. */
interface ChannelEnd {
  /** Where its name lies. */
  readonly group: number;
  readonly line: number;
  /** Its number among the channels of its name. */
  readonly id: number;
  /** The next message that may arrive. */
  next: number;
}

export class Broadcasts {
  private readonly part: ChannelThread;
  private readonly lines: Lines;
  private readonly words: Int32Array;
  /** By the port that is inside of the channel. */
  private readonly ends = new WeakMap<object, ChannelEnd>();

  constructor(part: ChannelThread, lines: Lines) {
    this.part = part;
    this.lines = lines;
    this.words = part.execution.broadcasts;
  }

  has(port: object): boolean {
    return this.ends.has(port);
  }

  /** The step of opening: `make` has Node make the channel; `portOf` finds the port that is inside. */
  open<C>(name: string, make: () => C, portOf: (channel: C) => object | null): C {
    const { holder, notes, self } = this.part;
    holder.step();
    const channel = make();
    const group = this.groupOf(name);
    const port = portOf(channel);
    const line = group < 0 ? -1 : this.words[group + LINE]!;
    const id = group < 0 ? 0 : this.words[group + OPENED]!++;
    // Nobody receives it.
    holder.log(Op.Send, messageOf(this.lines.otherOf(line), id), 0);
    if (port === null || group < 0) {
      notes.tell({ unseen: 'BroadcastChannel' });
      return channel;
    }
    this.words[group + OPEN + self]! += 1;
    this.ends.set(port, { group, line, id, next: this.lines.sentOn(line) });
    return channel;
  }

  /** How many messages have yet to arrive at a channel. */
  waiting(port: object): number {
    const end = this.ends.get(port);
    if (!end) return 0;
    let count = 0;
    for (let ordinal = end.next; ordinal < this.lines.sentOn(end.line); ordinal++)
      if (this.lines.find(end, messageOf(end.line, ordinal), true).ends[0] !== end.id) count += 1;
    return count;
  }

  closed(port: object): void {
    const end = this.ends.get(port);
    if (!end) return;
    this.ends.delete(port);
    this.words[end.group + OPEN + this.part.self]! -= 1;
  }

  /** The step of sending: `post` hands the value to Node. */
  send<T>(port: object, value: unknown, post: () => T): T {
    const { group, id, line } = this.ends.get(port)!;
    const { addresses } = this.lines.enclosed(value);
    return this.lines.sendWith(line, { addresses, ends: [id] }, post, () => {
      for (let thread = 0; thread < MOST_WORKERS; thread++)
        if (this.words[group + OPEN + thread]! > 0) this.part.holder.rouse(thread);
    });
  }

  /** The step before a message is handed to the program. */
  receive(port: object, value: unknown): void {
    const { holder } = this.part;
    const end = this.ends.get(port)!;
    holder.step();
    let ordinal = end.next;
    let letter = this.lines.find(end, messageOf(end.line, ordinal));
    // Its own do not arrive.
    while (letter.ends[0] === end.id) letter = this.lines.find(end, messageOf(end.line, ++ordinal));
    end.next = ordinal + 1;
    holder.log(Op.Receive, messageOf(end.line, ordinal), 0);
    this.lines.open(value, letter);
  }

  /** Where a name lies, from now on; -1: there is no room. */
  private groupOf(name: string): number {
    const { words } = this;
    const wanted = hash('sha1', name, 'buffer').readInt32LE(0);
    const end = FIRST + GROUP * words[0]!;
    for (let group = FIRST; group < end; group += GROUP) if (words[group + HASH] === wanted) return group;
    const line = words[0] === MOST_GROUPS ? -1 : this.lines.fresh();
    if (line < 0) return -1;
    words[0]! += 1;
    words[end + HASH] = wanted;
    words[end + LINE] = line;
    this.part.notes.tell({ line, broadcast: name });
    return end;
  }
}
