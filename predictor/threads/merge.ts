/**
 * Context switches of a schedule of any length reduced in one reading: each event goes to the end of its thread's
 * last stretch if all that it depends on is done by then, and otherwise begins a new stretch. So every two
 * conflicting accesses, every two sections that exclude each other, and must-order keep their order; accesses of
 * one thread alone and reads among reads move freely (Penelope §4.3). Not the minimum, but close to it.
 */
import { Op, type ThreadEvents } from '../../data/threads/trace.ts';

const NEVER = -1;

class Merger {
  /** Of each stretch, in order: its thread, and how many events it runs. */
  readonly threads: number[] = [];
  readonly counts: number[] = [];
  /** Of each thread: its last stretch. */
  private readonly last: Int32Array;
  /** By entity, by lock and by channel: the last stretch that others must come after. */
  private readonly written = new Latest();
  private readonly read = new Latest();
  private readonly released = new Latest();
  private readonly releasedShared = new Latest();
  private readonly sent = new Latest();
  private readonly arrived = new Latest();
  /** Of each thread: the stretch that forks it. */
  private readonly forked = new Latest();

  constructor(threads: number) {
    this.last = new Int32Array(threads).fill(NEVER);
  }

  /** The next event of the schedule. Returns the stretch that it belongs to now. */
  step(op: number, thread: number, object: number, isLast = false): number {
    const end = this.threads.length - 1;
    const needed = isLast ? end : this.needed(op, thread, object);
    let stretch = this.last[thread]!;
    if (stretch === NEVER || needed > stretch) {
      stretch = this.threads.push(thread) - 1;
      this.counts.push(0);
      this.last[thread] = stretch;
    }
    this.counts[stretch]!++;
    this.note(op, object, stretch);
    return stretch;
  }

  /** The last stretch that an event must not be before the end of. */
  private needed(op: number, thread: number, object: number): number {
    const { last } = this;
    const born = last[thread] === NEVER ? this.forked.of(thread) : NEVER;
    switch (op) {
      case Op.Read:
        return Math.max(born, this.written.of(object));
      case Op.Write:
        return Math.max(born, this.written.of(object), this.read.of(object));
      case Op.Acquire:
        return Math.max(born, this.released.of(object), this.releasedShared.of(object));
      case Op.AcquireShared:
        return Math.max(born, this.released.of(object));
      case Op.Join:
        return Math.max(born, last[object]!);
      case Op.Receive:
        return Math.max(born, this.sent.of(object));
      case Op.Leave:
        return Math.max(born, this.arrived.of(object));
      default:
        return born;
    }
  }

  private note(op: number, object: number, stretch: number): void {
    if (op === Op.Read) this.read.reach(object, stretch);
    else if (op === Op.Write) this.written.reach(object, stretch);
    else if (op === Op.Release) this.released.reach(object, stretch);
    else if (op === Op.ReleaseShared) this.releasedShared.reach(object, stretch);
    else if (op === Op.Send) this.sent.reach(object, stretch);
    else if (op === Op.Arrive) this.arrived.reach(object, stretch);
    else if (op === Op.Fork) this.forked.reach(object, stretch);
  }
}

/** The latest stretch by index. */
class Latest {
  private stretches = new Int32Array(64).fill(NEVER);

  of(index: number): number {
    return this.stretches[index] ?? NEVER;
  }

  reach(index: number, stretch: number): void {
    if (index >= this.stretches.length) {
      const wider = new Int32Array(2 * index).fill(NEVER);
      wider.set(this.stretches);
      this.stretches = wider;
    }
    if (stretch > this.stretches[index]!) this.stretches[index] = stretch;
  }
}

/** The events of a schedule in the order of their stretches; its last event stays the last. */
export function merged(
  { op, thread, object }: ThreadEvents,
  schedule: Int32Array,
  threads: number,
): Int32Array {
  const merger = new Merger(threads);
  const stretch = schedule.map((event, at) =>
    merger.step(op[event]!, thread[event]!, object[event]!, at === schedule.length - 1),
  );
  const next = new Int32Array(merger.counts.length);
  for (let s = 1; s < next.length; s++) next[s] = next[s - 1]! + merger.counts[s - 1]!;
  const order = new Int32Array(schedule.length);
  for (let at = 0; at < schedule.length; at++) order[next[stretch[at]!]!++] = schedule[at]!;
  return order;
}
