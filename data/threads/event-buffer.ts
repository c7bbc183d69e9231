/** Event columns that grow. */
import type { ThreadEvents } from './trace.ts';

export class EventBuffer {
  length = 0;
  private op: Uint8Array;
  private thread: Uint16Array;
  private object: Int32Array;
  private point: Int32Array;

  constructor(capacity: number) {
    this.op = new Uint8Array(capacity);
    this.thread = new Uint16Array(capacity);
    this.object = new Int32Array(capacity);
    this.point = new Int32Array(capacity);
  }

  push(op: number, thread: number, object: number, point: number): void {
    const at = this.length;
    if (at === this.op.length) this.reserve(at + 1);
    this.op[at] = op;
    this.thread[at] = thread;
    this.object[at] = object;
    this.point[at] = point;
    this.length = at + 1;
  }

  append(events: ThreadEvents): void {
    const at = this.length;
    this.reserve(at + events.length);
    this.op.set(events.op, at);
    this.thread.set(events.thread, at);
    this.object.set(events.object, at);
    this.point.set(events.point, at);
    this.length = at + events.length;
  }

  clear(): void {
    this.length = 0;
  }

  /** What was pushed, as views: valid until the next change. */
  events(): ThreadEvents {
    const { length } = this;
    return {
      length,
      op: this.op.subarray(0, length),
      thread: this.thread.subarray(0, length),
      object: this.object.subarray(0, length),
      point: this.point.subarray(0, length),
    };
  }

  private reserve(wanted: number): void {
    if (wanted <= this.op.length) return;
    const capacity = Math.max(wanted, 2 * this.op.length);
    const grown = <T extends Uint8Array | Uint16Array | Int32Array>(next: T, column: T): T => {
      next.set(column);
      return next;
    };
    this.op = grown(new Uint8Array(capacity), this.op);
    this.thread = grown(new Uint16Array(capacity), this.thread);
    this.object = grown(new Int32Array(capacity), this.object);
    this.point = grown(new Int32Array(capacity), this.point);
  }
}
