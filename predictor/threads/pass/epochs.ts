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
  /** Of each channel: the epoch that its last send began. */
  private readonly sent: number[] = [];
  private readonly arrived: Int32Array[] = [];

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
