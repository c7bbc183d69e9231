/**
 * What restricts the orders of a trace of threads: its *nodes*, the outermost acquires and releases and the
 * order-only operations, each thread's in program order, with what each must wait for. Accesses and inner
 * re-entrant pairs are no nodes: they can run whenever their thread gets there.
 *
 * Two kinds of node stand for no event: the *start* of a forked thread and the *exit* of a joined one. So
 * "after the fork" and "after the last event" hold for threads whose first or last event is an access, and
 * for threads without any.
 *
 * Positions are counts: position k of a thread means that its first k nodes (or events) are done.
 */
import { Op, type ThreadTrace } from '../../data/threads/trace.ts';

export const NodeKind = { Other: 0, Acquire: 1, Release: 2 } as const;

/** The critical sections of one thread on one lock in one mode, by their acquires; they never overlap. */
export interface LockSections {
  readonly thread: number;
  readonly shared: boolean;
  readonly acquires: readonly number[];
}

export interface Skeleton {
  readonly trace: ThreadTrace;
  readonly threads: number;
  /** The events of each thread in program order. */
  readonly program: readonly Int32Array[];
  /** Of each event: its index in its thread's program. */
  readonly place: Int32Array;
  /** Of each event: how many nodes of its thread are before it. Accesses with equal numbers commute. */
  readonly interval: Int32Array;
  readonly nodes: number;
  /** First node of each thread, and the number of nodes behind the last. */
  readonly base: Int32Array;
  readonly threadOf: Uint16Array;
  readonly kind: Uint8Array;
  /** Of acquires and releases: the lock; -1 otherwise. */
  readonly lock: Int32Array;
  /** Acquire → its release, -1 where the trace has none; release → its acquire. */
  readonly match: Int32Array;
  /** Index of a node's event in its thread's program; -1 for a start, the program's length for an exit. */
  readonly at: Int32Array;
  /** What must be done first, besides the thread's own earlier nodes. */
  readonly needs: readonly (readonly number[])[];
  /** The inverse of `needs`. */
  readonly neededBy: readonly (readonly number[])[];
  /** By lock. */
  readonly sections: readonly (readonly LockSections[])[];
  /** The list that an acquire's section is in. */
  sectionsOf(acquire: number): LockSections;
  /** Of acquires: the sections of other threads that exclude this one. */
  readonly rivals: readonly (readonly LockSections[])[];
  /** Must-order: `must[n * threads + u]` nodes of thread u are done when node n is done, in every order. */
  readonly must: Int32Array;
}

interface Draft {
  readonly kind: number;
  readonly lock: number;
  readonly shared: boolean;
  readonly at: number;
  /** Thread and index there of what must be done first. */
  readonly needs: readonly (readonly [thread: number, index: number])[];
  /** Index in its thread. */
  readonly match: number;
}

/** Takes a valid trace apart (data/threads/checker.ts). */
export function skeletonOf(trace: ThreadTrace): Skeleton {
  const { events } = trace;
  const threads = trace.names.threads.length;
  const { drafts, interval, place, program } = draftNodes(trace);
  const base = new Int32Array(threads + 1);
  for (let t = 0; t < threads; t++) base[t + 1] = base[t]! + drafts[t]!.length;
  const nodes = base[threads]!;
  const all = drafts.flat();
  const threadOf = new Uint16Array(nodes);
  for (let t = 0; t < threads; t++) threadOf.fill(t, base[t], base[t + 1]);
  const node = (t: number, index: number): number => base[t]! + index;
  const match = Int32Array.from(all, (d, n) => (d.match < 0 ? -1 : node(threadOf[n]!, d.match)));
  const needs = all.map((d) => d.needs.map(([t, index]) => node(t, index)));
  const neededBy: number[][] = all.map(() => []);
  for (const [n, list] of needs.entries()) for (const before of list) neededBy[before]!.push(n);
  const sections = sectionsByLock(all, threadOf, trace.names.locks.length);
  const rivals = all.map((d, n) =>
    d.kind === NodeKind.Acquire
      ? sections[d.lock]!.filter((s) => s.thread !== threadOf[n] && !(s.shared && d.shared))
      : [],
  );
  const listOf = new Map(sections.flat().flatMap((list) => list.acquires.map((n) => [n, list] as const)));
  const must = mustOrder(threads, base, threadOf, needs, neededBy);
  return {
    trace,
    threads,
    program,
    place,
    interval: interval.subarray(0, events.length),
    nodes,
    base,
    threadOf,
    kind: Uint8Array.from(all, (d) => d.kind),
    lock: Int32Array.from(all, (d) => d.lock),
    match,
    at: Int32Array.from(all, (d) => d.at),
    needs,
    neededBy,
    sections,
    sectionsOf: (acquire) => listOf.get(acquire)!,
    rivals,
    must,
  };
}

/** The nodes of each thread, in one pass over the events. */
function draftNodes({ events, names }: ThreadTrace) {
  const threads = names.threads.length;
  const drafts: { -readonly [K in keyof Draft]: Draft[K] }[][] = names.threads.map(() => []);
  const lengths = new Int32Array(threads);
  for (let i = 0; i < events.length; i++) lengths[events.thread[i]!]!++;
  const program = Array.from(lengths, (length) => new Int32Array(length));
  const place = new Int32Array(events.length);
  const interval = new Int32Array(events.length);
  const reached = new Int32Array(threads);
  /** Re-entrant depth, and the node of the outermost acquire, by thread, lock and mode. */
  const holds = new Map<string, { depth: number; acquire: number }>();
  const sent = new Map<number, readonly [number, number]>();
  const arrived = new Map<number, Map<number, number>>();
  const exited = new Set<number>();

  const add = (t: number, draft: Partial<Draft> & { at: number }): number =>
    drafts[t]!.push({ kind: NodeKind.Other, lock: -1, shared: false, needs: [], match: -1, ...draft }) - 1;

  for (let i = 0; i < events.length; i++) {
    const t = events.thread[i]!;
    const at = reached[t]!++;
    const object = events.object[i]!;
    const op = events.op[i] as Op;
    program[t]![at] = i;
    place[i] = at;
    interval[i] = drafts[t]!.length;
    switch (op) {
      case Op.Acquire:
      case Op.AcquireShared: {
        const shared = op === Op.AcquireShared;
        const key = `${t} ${object} ${shared}`;
        const hold = holds.get(key);
        if (hold) hold.depth++;
        else
          holds.set(key, { depth: 1, acquire: add(t, { kind: NodeKind.Acquire, lock: object, shared, at }) });
        break;
      }
      case Op.Release:
      case Op.ReleaseShared: {
        const shared = op === Op.ReleaseShared;
        const key = `${t} ${object} ${shared}`;
        const hold = holds.get(key)!;
        if (--hold.depth > 0) break;
        holds.delete(key);
        const match = hold.acquire;
        drafts[t]![match]!.match = add(t, { kind: NodeKind.Release, lock: object, shared, at, match });
        break;
      }
      case Op.Fork:
        add(object, { at: -1, needs: [[t, add(t, { at })]] });
        break;
      case Op.Join:
        // A thread may be joined by several: it exits once.
        if (!exited.has(object)) add(object, { at: program[object]!.length });
        exited.add(object);
        add(t, { at, needs: [[object, drafts[object]!.length - 1]] });
        break;
      case Op.Send:
        sent.set(object, [t, add(t, { at })]);
        break;
      case Op.Receive:
        // What was sent before a window of a trace (long/frontier.ts) has come.
        add(t, { at, needs: others(t, sent.has(object) ? [sent.get(object)!] : []) });
        break;
      case Op.Arrive:
        if (!arrived.has(object)) arrived.set(object, new Map());
        arrived.get(object)!.set(t, add(t, { at }));
        break;
      case Op.Leave:
        add(t, { at, needs: others(t, [...(arrived.get(object) ?? [])]) });
        break;
      case Op.Read:
      case Op.Write:
      case Op.Begin:
      case Op.End:
        break;
    }
  }
  return { drafts, interval, place, program };
}

/** Its own earlier nodes are before a node anyway. */
const others = (thread: number, needs: readonly (readonly [number, number])[]) =>
  needs.filter(([t]) => t !== thread);

function sectionsByLock(all: readonly Draft[], threadOf: Uint16Array, locks: number): LockSections[][] {
  const lists: { thread: number; shared: boolean; acquires: number[] }[][] = Array.from(
    { length: locks },
    () => [],
  );
  for (const [n, { kind, lock, shared }] of all.entries()) {
    if (kind !== NodeKind.Acquire) continue;
    const thread = threadOf[n]!;
    const list = lists[lock]!.find((s) => s.thread === thread && s.shared === shared);
    if (list) list.acquires.push(n);
    else lists[lock]!.push({ thread, shared, acquires: [n] });
  }
  return lists;
}

/** Vector clocks of the must-order. Kahn's algorithm: the observed order is not kept by nodes. */
function mustOrder(
  threads: number,
  base: Int32Array,
  threadOf: Uint16Array,
  needs: readonly (readonly number[])[],
  neededBy: readonly (readonly number[])[],
): Int32Array {
  const nodes = needs.length;
  const must = new Int32Array(nodes * threads);
  const open = Int32Array.from(needs, (list, n) => list.length + (n > base[threadOf[n]!]! ? 1 : 0));
  const ready: number[] = [];
  for (let n = 0; n < nodes; n++) if (open[n] === 0) ready.push(n);
  for (let n = ready.pop(); n !== undefined; n = ready.pop()) {
    const t = threadOf[n]!;
    must[n * threads + t] = n - base[t]! + 1;
    const successors = n + 1 < base[t + 1]! ? [n + 1, ...neededBy[n]!] : neededBy[n]!;
    for (const s of successors) {
      for (let u = 0; u < threads; u++)
        if (must[n * threads + u]! > must[s * threads + u]!) must[s * threads + u] = must[n * threads + u]!;
      if (--open[s]! === 0) ready.push(s);
    }
  }
  return must;
}
