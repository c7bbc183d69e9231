/**
 * What a schedule may be rearranged within: every event after what it depends on in the schedule. Two accesses
 * depend on one another if they conflict; so those to entities that one thread alone touches (escape analysis)
 * and reads among reads (read blocks) move freely (Penelope §4.3). Every read still sees the same write.
 */
import { isAccess, Op } from '../../data/threads/trace.ts';
import { eventsAt } from './linearise.ts';
import { type LockSections, NodeKind, type Skeleton } from './skeleton.ts';

/** `count` events of `thread` must be done. */
interface Need {
  readonly thread: number;
  readonly count: number;
}

export class Dependences {
  readonly skeleton: Skeleton;
  /** The events of the schedule by thread: prefixes of the threads' programs. */
  readonly lengths: Int32Array;
  private readonly needs = new Map<number, Need[]>();
  private readonly last: number;

  /** `schedule`: event indices in execution order; its last event stays the last. */
  constructor(skeleton: Skeleton, schedule: ArrayLike<number>) {
    this.skeleton = skeleton;
    this.lengths = new Int32Array(skeleton.threads);
    this.last = schedule.length > 0 ? schedule[schedule.length - 1]! : -1;
    for (let at = 0; at < schedule.length; at++)
      this.lengths[skeleton.trace.events.thread[schedule[at]!]!]!++;
    this.addConflicts(schedule);
    this.addOrderOnly(schedule);
  }

  /** Whether all that an event depends on is done; exclusion of locks apart. */
  isMet(event: number, done: Int32Array): boolean {
    for (const { thread, count } of this.needs.get(event) ?? []) if (done[thread]! < count) return false;
    if (event !== this.last) return true;
    const own = this.skeleton.trace.events.thread[event]!;
    return this.lengths.every((length, t) => done[t]! >= (t === own ? length - 1 : length));
  }

  /** Keeps the order in which sections exclude each other: then nothing that may run leads to a dead end. */
  addLockOrder(schedule: ArrayLike<number>): void {
    const { skeleton } = this;
    /** Of each thread's sections on a lock: the last release. */
    const released = new Map<LockSections, number>();
    for (let at = 0; at < schedule.length; at++) {
      const event = schedule[at]!;
      const node = nodeOf(skeleton, event);
      if (node < 0) continue;
      if (skeleton.kind[node] === NodeKind.Release)
        released.set(skeleton.sectionsOf(skeleton.match[node]!), event);
      if (skeleton.kind[node] !== NodeKind.Acquire) continue;
      for (const rival of skeleton.rivals[node]!) {
        const release = released.get(rival);
        if (release !== undefined) this.add(event, release);
      }
    }
  }

  private addConflicts(schedule: ArrayLike<number>): void {
    const { op, object, thread } = this.skeleton.trace.events;
    const lastWrite = new Map<number, number>();
    /** Of each entity: the last read of each thread since the last write. */
    const reads = new Map<number, Map<number, number>>();
    for (let at = 0; at < schedule.length; at++) {
      const event = schedule[at]!;
      if (!isAccess(op[event]!)) continue;
      const entity = object[event]!;
      const write = lastWrite.get(entity);
      if (write !== undefined) this.add(event, write);
      if (op[event] === Op.Read) {
        if (!reads.has(entity)) reads.set(entity, new Map());
        reads.get(entity)!.set(thread[event]!, event);
      } else {
        for (const read of reads.get(entity)?.values() ?? []) this.add(event, read);
        reads.delete(entity);
        lastWrite.set(entity, event);
      }
    }
  }

  private addOrderOnly(schedule: ArrayLike<number>): void {
    const { skeleton } = this;
    const { base, needs, program, threadOf, trace } = skeleton;
    /** A node as events done; a start stands for what its thread needs to begin. */
    const addNode = (event: number, node: number): void => {
      const t = threadOf[node]!;
      const count = eventsAt(skeleton, t, node - base[t]! + 1);
      if (count > 0) this.put(event, { thread: t, count });
      else for (const need of needs[node]!) addNode(event, need);
      if (count === 0 && node > base[t]!) addNode(event, node - 1);
    };
    for (let at = 0; at < schedule.length; at++) {
      const event = schedule[at]!;
      const t = trace.events.thread[event]!;
      const node = nodeOf(skeleton, event);
      if (node >= 0) for (const need of needs[node]!) addNode(event, need);
      // The start of a thread is no event: its first event inherits what it needs.
      if (program[t]![0] === event && base[t]! < base[t + 1]! && skeleton.at[base[t]!] === -1)
        for (const need of needs[base[t]!]!) addNode(event, need);
    }
  }

  private add(event: number, before: number): void {
    const { place, trace } = this.skeleton;
    const thread = trace.events.thread[before]!;
    if (thread !== trace.events.thread[event]) this.put(event, { thread, count: place[before]! + 1 });
  }

  private put(event: number, need: Need): void {
    const list = this.needs.get(event);
    if (list) list.push(need);
    else this.needs.set(event, [need]);
  }
}

/** The node of an event; -1 if it is none. */
export function nodeOf({ at, base, interval, place, trace }: Skeleton, event: number): number {
  const t = trace.events.thread[event]!;
  const node = base[t]! + interval[event]!;
  return node < base[t + 1]! && at[node] === place[event] ? node : -1;
}
