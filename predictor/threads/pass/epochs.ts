/**
 * The must-order of a long trace, coarsely: a thread's events between two of its order-only operations are one
 * *epoch*, and each epoch has a vector clock. Two points can be reached together only if the cut through them
 * is consistent: neither needs more of the other's thread than is done.
 *
 * The first reading makes the epochs ({@link Epochs.step}); a second one walks through them ({@link Epochs.enter}).
 */
import { Op } from '../../../data/threads/trace.ts';
import { doubled } from './pair-index.ts';

export class Epochs {
  /** Current epoch of each thread, as a number unique in the trace. */
  readonly current: Int32Array;
  private readonly threads: number;
  /** Of each epoch: its thread, its ordinal there. */
  private readonly threadOf: number[] = [];
  private readonly ordinal: number[] = [];
  /** Of each epoch: how many epochs of each thread have ended before it. */
  private clocks: Int32Array;
  /** Of each thread: its epochs in order. */
  private readonly ofThread: number[][];
  /** Of each epoch: the first event after which its thread holds no lock; -1: none. */
  private readonly freed: number[] = [];
  /** Of each channel: the epoch that its last send began. */
  private readonly sent: number[] = [];
  private readonly arrived: Int32Array[] = [];
  /** Threads whose end another one waits for. */
  readonly joined = new Set<number>();

  constructor(threads: number) {
    this.threads = threads;
    this.current = new Int32Array(threads);
    this.clocks = new Int32Array(threads * Math.max(1, threads));
    this.ofThread = Array.from({ length: threads }, () => []);
    for (let t = 0; t < threads; t++) this.current[t] = this.add(t, 0);
  }

  get count(): number {
    return this.threadOf.length;
  }

  thread(epoch: number): number {
    return this.threadOf[epoch]!;
  }

  /** An order-only operation, in the first reading: the thread enters a new epoch. */
  step(op: number, thread: number, object: number): void {
    const before = this.current[thread]!;
    const ordinal = this.ordinal[before]! + 1;
    const epoch = this.add(thread, ordinal);
    const clock = this.clock(epoch);
    clock.set(this.clock(before));
    clock[thread] = ordinal;
    if (op === Op.Fork) join(this.clock(this.current[object]!), clock);
    else if (op === Op.Join) {
      const child = this.current[object]!;
      this.joined.add(object);
      join(clock, this.clock(child));
      // The exit of the child is one more step of it.
      clock[object] = this.ordinal[child]! + 1;
    } else if (op === Op.Send) this.sent[object] = epoch;
    else if (op === Op.Receive) join(clock, this.clock(this.sent[object]!));
    else if (op === Op.Arrive) join((this.arrived[object] ??= new Int32Array(this.threads)), clock);
    else if (op === Op.Leave) join(clock, this.arrived[object]!);
    this.current[thread] = epoch;
  }

  /** Back to the beginning, for the second reading. */
  rewind(): void {
    for (let t = 0; t < this.threads; t++) this.current[t] = this.ofThread[t]![0]!;
  }

  /** An order-only operation, in the second reading: the thread's next epoch. */
  enter(thread: number): void {
    this.current[thread] = this.ofThread[thread]![this.ordinal[this.current[thread]!]! + 1]!;
  }

  /** The epoch of the same thread after one that is not its last. */
  next(epoch: number): number {
    return this.ofThread[this.threadOf[epoch]!]![this.ordinal[epoch]! + 1]!;
  }

  /** The epoch of the same thread before one that is not its first. */
  previous(epoch: number): number {
    return this.ofThread[this.threadOf[epoch]!]![this.ordinal[epoch]! - 1]!;
  }

  /** How many epochs of its thread are before an epoch. */
  place(epoch: number): number {
    return this.ordinal[epoch]!;
  }

  /** In the second reading: after this event the thread of an epoch holds nothing. */
  free(epoch: number, event: number): void {
    if (this.freed[epoch]! < 0) this.freed[epoch] = event;
  }

  /** The first event of an epoch after which its thread holds nothing, of those that were noted; -1: none. */
  freeAt(epoch: number): number {
    return this.freed[epoch]!;
  }

  /** The first epoch from `from` to `until`, both of one thread, that can be current with `other`; -1: none. */
  meeting(from: number, until: number, other: number): number {
    const { clocks, ordinal, threadOf, threads } = this;
    const thread = threadOf[from]!;
    // Later ones need no less of the other thread.
    const place = Math.max(ordinal[from]!, clocks[other * threads + thread]!);
    if (place > ordinal[until]!) return -1;
    const epoch = this.ofThread[thread]![place]!;
    return clocks[epoch * threads + threadOf[other]!]! <= ordinal[other]! ? epoch : -1;
  }

  /** Whether two epochs of different threads can be current at once. */
  areConsistent(a: number, b: number): boolean {
    const { clocks, ordinal, threadOf, threads } = this;
    return (
      clocks[a * threads + threadOf[b]!]! <= ordinal[b]! && clocks[b * threads + threadOf[a]!]! <= ordinal[a]!
    );
  }

  private add(thread: number, ordinal: number): number {
    const epoch = this.threadOf.push(thread) - 1;
    this.ordinal.push(ordinal);
    this.freed.push(-1);
    this.ofThread[thread]!.push(epoch);
    if (this.clocks.length < (epoch + 1) * this.threads) this.clocks = doubled(this.clocks);
    return epoch;
  }

  private clock(epoch: number): Int32Array {
    return this.clocks.subarray(epoch * this.threads, (epoch + 1) * this.threads);
  }
}

function join(into: Int32Array, from: Int32Array): void {
  for (let t = 0; t < into.length; t++) if (from[t]! > into[t]!) into[t] = from[t]!;
}
