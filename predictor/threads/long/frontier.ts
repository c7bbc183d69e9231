/** Where the threads of a trace stand after some events: locks and transactions that are open. */
import { Op, type ThreadEvents, type ThreadTrace } from '../../../data/threads/trace.ts';

/** What one thread has open: acquires and begins, oldest first, as operation and object. */
type OpenBlocks = (readonly [op: Op, object: number])[];

const CLOSES: ReadonlyMap<Op, Op> = new Map([
  [Op.Release, Op.Acquire],
  [Op.ReleaseShared, Op.AcquireShared],
  [Op.End, Op.Begin],
]);

export class Frontier {
  readonly open: readonly OpenBlocks[];

  constructor(threads: number) {
    this.open = Array.from({ length: threads }, () => []);
  }

  step(op: number, thread: number, object: number): void {
    if (op <= Op.Write) return;
    const open = this.open[thread]!;
    if (op === Op.Acquire || op === Op.AcquireShared || op === Op.Begin) open.push([op, object]);
    const opens = CLOSES.get(op as Op);
    if (opens === undefined) return;
    const at = open.findLastIndex(
      ([other, lock]) => other === opens && (opens === Op.Begin || lock === object),
    );
    open.splice(at, 1);
  }

  copy(): Frontier {
    const copy = new Frontier(this.open.length);
    for (const [t, open] of this.open.entries()) copy.open[t]!.push(...open);
    return copy;
  }
}

/** A stretch of a trace as a trace of its own. */
export interface Window {
  readonly trace: ThreadTrace;
  /** Event `i` of the whole trace is event `i - shift` of this one; earlier ones here only open what is open. */
  readonly shift: number;
}

/**
 * The events `from` to `to` of a trace (`events`, the first of which has the index `offset`), for orders that begin
 * with all that is before them, as observed. What is open then is opened again at first, by threads that wait at a
 * barrier until all have done so. So an order that the window allows is one that the trace allows.
 */
export function windowOf(
  { events, offset, names }: { events: ThreadEvents; offset: number; names: ThreadTrace['names'] },
  before: Frontier,
  from: number,
  to: number,
): Window {
  const born = new Set<number>();
  const present = new Set(before.open.flatMap((open, t) => (open.length > 0 ? [t] : [])));
  for (let i = from - offset; i < to - offset; i++) {
    if (!born.has(events.thread[i]!)) present.add(events.thread[i]!);
    if (events.op[i] === Op.Fork) born.add(events.object[i]!);
  }
  const barrier = names.channels.length;
  const opening = [
    ...before.open.flatMap((open, t) => open.map(([op, object]) => ({ op, t, object }))),
    ...[...present].map((t) => ({ op: Op.Arrive, t, object: barrier })),
    ...[...present].map((t) => ({ op: Op.Leave, t, object: barrier })),
  ];
  const length = opening.length + to - from;
  const columns = {
    op: new Uint8Array(length),
    thread: new Uint16Array(length),
    object: new Int32Array(length),
    point: new Int32Array(length),
  };
  columns.op.set(opening.map(({ op }) => op));
  columns.thread.set(opening.map(({ t }) => t));
  columns.object.set(opening.map(({ object }) => object));
  for (const name of ['op', 'thread', 'object', 'point'] as const)
    columns[name].set(events[name].subarray(from - offset, to - offset), opening.length);
  return {
    trace: { events: { length, ...columns }, names: { ...names, channels: [...names.channels, 'opening'] } },
    shift: from - opening.length,
  };
}
