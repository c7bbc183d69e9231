/**
 * The vocabulary of a trace of threads: what is read from an STD file (std-reader.ts) and what
 * predictor/threads works on. One event is one step of one thread; the index of an event is its observed time.
 *
 * An *order-only* operation (send, receive, arrive, leave, fork, join) restricts orders and excludes nobody:
 * - a receive needs the last send on its channel that it observed;
 * - a leave needs every arrival at its barrier that it observed;
 * - the first event of a thread needs its fork, a join needs the last event of the thread it joins.
 */

import type { CallPlace } from '../trace.ts';

/** What an event does. `object` of an event is an index into the table named here. */
export const Op = {
  /** object: entity */
  Read: 0,
  /** object: entity */
  Write: 1,
  /** Takes a lock alone; a thread that holds it already takes it once more. object: lock */
  Acquire: 2,
  /** object: lock */
  Release: 3,
  /** Takes a read-write lock for reading: shared with other readers. object: lock */
  AcquireShared: 4,
  /** object: lock */
  ReleaseShared: 5,
  /** object: thread */
  Fork: 6,
  /** object: thread */
  Join: 7,
  /** A transaction begins; begins and ends nest. object: transaction, or -1: one without a name */
  Begin: 8,
  /** object: -1 */
  End: 9,
  /** object: channel */
  Send: 10,
  /** object: channel */
  Receive: 11,
  /** object: channel (a barrier) */
  Arrive: 12,
  /** object: channel (a barrier) */
  Leave: 13,
} as const;
export type Op = (typeof Op)[keyof typeof Op];

/** Events as columns of equal length. */
export interface ThreadEvents {
  readonly length: number;
  /** One of {@link Op}. */
  readonly op: Uint8Array;
  /** Index into `threads`. */
  readonly thread: Uint16Array;
  readonly object: Int32Array;
  /** Program point: index into `points`. */
  readonly point: Int32Array;
}

/** Names by index, as the trace spells them. */
export interface ThreadNames {
  readonly threads: readonly string[];
  readonly entities: readonly string[];
  readonly locks: readonly string[];
  readonly channels: readonly string[];
  readonly points: readonly string[];
  /** See transaction.ts. */
  readonly transactions: readonly string[];
}

export interface ThreadTrace {
  readonly events: ThreadEvents;
  readonly names: ThreadNames;
  /** By event: where accesses were called from, innermost first. Only where a run was asked for them; not stored. */
  readonly callers?: ReadonlyMap<number, readonly CallPlace[]>;
}

/** Begins the name of a channel that stands for one step of a thread's event loop; the thread sends there, and nobody receives. */
export const LOOP_STEP = 'loop: ';

/** Most threads of a trace: the thread column has 16 bits. */
export const MAX_THREADS = 0xffff;

export const isAccess = (op: number): boolean => op <= Op.Write;

/** Whether an operation neither accesses nor locks, but comes before or after what other threads do. */
export const isOrderOnly = (op: number): boolean => op >= Op.Fork && op !== Op.Begin && op !== Op.End;

/** The trace that a schedule (event indices in execution order) would leave. */
export function reordered({ events, names }: ThreadTrace, schedule: ArrayLike<number>): ThreadTrace {
  const { length } = schedule;
  const pick = <T extends Uint8Array | Uint16Array | Int32Array>(into: T, from: T): T => {
    for (let at = 0; at < length; at++) into[at] = from[schedule[at]!]!;
    return into;
  };
  return {
    names,
    events: {
      length,
      op: pick(new Uint8Array(length), events.op),
      thread: pick(new Uint16Array(length), events.thread),
      object: pick(new Int32Array(length), events.object),
      point: pick(new Int32Array(length), events.point),
    },
  };
}
