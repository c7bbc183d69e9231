/** The trace that is told: events of tasks in place of events of threads, and between them what orders the tasks. */
import { LOOP_POINT } from '../../../data/threads/tasks.ts';
import { Op, type ThreadTrace } from '../../../data/threads/trace.ts';

export class ToldTrace {
  /** The point of all that is no step of a thread. */
  readonly loopPoint: number;
  /** The event of the threads that is told now. */
  at = 0;
  private readonly names: ThreadTrace['names'];
  private readonly callers: ThreadTrace['callers'];
  private readonly threads: string[];
  private readonly locks: string[];
  private readonly channels: string[];
  private readonly op: number[] = [];
  private readonly thread: number[] = [];
  private readonly object: number[] = [];
  private readonly point: number[] = [];
  /** Which event of the threads each is. */
  private readonly of: number[] = [];

  constructor({ callers, names }: ThreadTrace) {
    this.callers = callers;
    this.names = names;
    this.threads = [...names.threads];
    this.locks = [...names.locks];
    this.channels = [...names.channels];
    this.loopPoint = names.points.length;
  }

  put(thread: number, op: number, object: number, point: number): void {
    this.op.push(op);
    this.thread.push(thread);
    this.object.push(object);
    this.point.push(point);
    this.of.push(this.at);
  }

  /** What is no step of the thread. */
  order(thread: number, op: number, object: number): void {
    this.put(thread, op, object, this.loopPoint);
  }

  newThread(name: string): number {
    return this.threads.push(name) - 1;
  }

  newLock(name: string): number {
    return this.locks.push(name) - 1;
  }

  newChannel(what: string): number {
    return this.channels.push(`${what} ${this.channels.length}`) - 1;
  }

  /** All of it, without these locks. */
  whole(without: ReadonlySet<number>): ThreadTrace {
    const isDropped = (i: number): boolean =>
      this.point[i] === this.loopPoint &&
      (this.op[i] === Op.Acquire || this.op[i] === Op.Release) &&
      without.has(this.object[i]!);
    const { channels, locks, names, threads } = this;
    return {
      ...this.told((i) => !isDropped(i)),
      names: { ...names, threads, locks, channels, points: [...names.points, LOOP_POINT] },
    };
  }

  /** Where each thread has one task: nothing to tell but where transactions end. */
  plain(): ThreadTrace {
    const isEnd = (i: number): boolean => this.op[i] === Op.Begin || this.op[i] === Op.End;
    const { events, ...told } = this.told((i) => this.point[i] !== this.loopPoint || isEnd(i));
    const last = this.names.points.length - 1;
    const point = events.point.map((each) => Math.min(each, last));
    return { ...told, events: { ...events, point }, names: this.names };
  }

  private told(isKept: (i: number) => boolean): Omit<ThreadTrace, 'names'> {
    const kept = [...this.op.keys()].filter(isKept);
    const events = {
      length: kept.length,
      op: Uint8Array.from(kept, (i) => this.op[i]!),
      thread: Uint16Array.from(kept, (i) => this.thread[i]!),
      object: Int32Array.from(kept, (i) => this.object[i]!),
      point: Int32Array.from(kept, (i) => this.point[i]!),
    };
    if (!this.callers) return { events };
    const calls = kept.map((i, event) => [event, this.callers?.get(this.of[i]!)] as const);
    return {
      events,
      callers: new Map(calls.flatMap(([event, places]) => (places ? [[event, places]] : []))),
    };
  }
}
