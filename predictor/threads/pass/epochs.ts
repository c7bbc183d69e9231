/**
 * The must-order of a long trace, coarsely: a thread's events between two of its order-only operations are one
 * *epoch*, and each epoch has a vector clock. Two points can be reached together only if the cut through them
 * is consistent: neither needs more of the other's thread than is done.
 */
import { Op } from '../../../data/threads/trace.ts';

export class Epochs {
  /** Current epoch of each thread, as a number unique in the trace. */
  readonly current: Int32Array;
  private readonly threads: number;
  /** Of each epoch: its thread, its ordinal there, its clock. */
  private readonly thread: number[] = [];
  private readonly ordinal: number[] = [];
  private readonly clocks: Int32Array[] = [];
  private readonly sent: Int32Array[] = [];
  private readonly arrived: Int32Array[] = [];

  constructor(threads: number) {
    this.threads = threads;
    this.current = new Int32Array(threads);
    for (let t = 0; t < threads; t++) {
      this.current[t] = this.thread.push(t) - 1;
      this.ordinal.push(0);
      this.clocks.push(new Int32Array(threads));
    }
  }

  /** An order-only operation: the thread enters its next epoch. */
  step(op: number, thread: number, object: number): void {
    const clock = this.clocks[this.current[thread]!]!.slice();
    const ordinal = this.ordinal[this.current[thread]!]! + 1;
    clock[thread] = ordinal;
    if (op === Op.Fork) join(this.clocks[this.current[object]!]!, clock);
    else if (op === Op.Join) {
      const child = this.current[object]!;
      join(clock, this.clocks[child]!);
      // The exit of the child is one more step of it.
      clock[object] = this.ordinal[child]! + 1;
    } else if (op === Op.Send) this.sent[object] = clock;
    else if (op === Op.Receive) join(clock, this.sent[object]!);
    else if (op === Op.Arrive) join((this.arrived[object] ??= new Int32Array(this.threads)), clock);
    else if (op === Op.Leave) join(clock, this.arrived[object]!);
    this.current[thread] = this.thread.push(thread) - 1;
    this.ordinal.push(ordinal);
    this.clocks.push(clock);
  }

  /** Whether two epochs of different threads can be current at once. */
  areConsistent(a: number, b: number): boolean {
    const [t, u] = [this.thread[a]!, this.thread[b]!];
    return this.clocks[a]![u]! <= this.ordinal[b]! && this.clocks[b]![t]! <= this.ordinal[a]!;
  }
}

function join(into: Int32Array, from: Int32Array): void {
  for (let t = 0; t < into.length; t++) if (from[t]! > into[t]!) into[t] = from[t]!;
}
