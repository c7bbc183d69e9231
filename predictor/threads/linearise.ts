/**
 * Turns a saturated order into the sequence of events that is lexicographically least by observed index.
 *
 * At each step the least event that may run is taken. Taking one that is no acquire never spoils anything:
 * it could be moved to the front of any order that finishes. An acquire decides that its section comes
 * before those of its lock that have not begun; where saturation refutes that at once, or everything after
 * it fails, the next least event is taken instead. So the first sequence that is found is the least one, and
 * if none is found there is none.
 */
import type { Order } from './order.ts';
import { NodeKind, type Skeleton } from './skeleton.ts';

/** Which events are to be ordered, beyond the nodes of the cut. */
export interface PrefixEnds {
  /** How many events each thread does. */
  readonly events: ArrayLike<number>;
  /** Event indices: `first` before `remote` before `second`, which is the last of all, or `remote` is. */
  readonly first: number;
  readonly remote: number;
  readonly second: number | null;
}

interface Choice {
  readonly mark: number;
  readonly length: number;
  /** Events and nodes done by each thread. */
  readonly done: Int32Array;
  readonly nodes: Int32Array;
  /** The acquire that was tried. */
  readonly tried: number;
}

/** Orders the cut of `order`; without `ends`, the events up to the last node of each thread. */
export function linearise(
  order: Order,
  ends: PrefixEnds | null,
  budget: number,
): Int32Array | 'impossible' | 'exhausted' {
  const { skeleton } = order;
  const { threads, base, program, at, kind } = skeleton;
  const limit = new Int32Array(threads);
  let total = 0;
  for (let t = 0; t < threads; t++) {
    limit[t] = ends ? ends.events[t]! : eventsAt(skeleton, t, order.cut(t));
    total += limit[t]!;
  }
  const last = ends ? (ends.second ?? ends.remote) : -1;
  const out = new Int32Array(total);
  let length = 0;
  let done: Int32Array = new Int32Array(threads);
  let nodes: Int32Array = new Int32Array(threads);
  const choices: Choice[] = [];
  const dead = new Set<string>();
  let isFirstDone = false;
  let spent = 0;
  /** Of the events that may run now, only later ones are tried. */
  let floor = -1;

  /** The next node of a thread, if it may run now; -1 otherwise. */
  const readyNode = (t: number): number => {
    const index = nodes[t]!;
    if (index >= order.cut(t)) return -1;
    const node = base[t]! + index;
    for (let u = 0; u < threads; u++) if (u !== t && order.clock(node, u) > nodes[u]!) return -1;
    return node;
  };

  /** Starts and exits are nobody's events: they happen as soon as they can. */
  const passVirtual = (): void => {
    for (let moved = true; moved; ) {
      moved = false;
      for (let t = 0; t < threads; t++) {
        const node = base[t]! + nodes[t]!;
        if (nodes[t]! >= order.cut(t)) continue;
        const isStart = at[node] === -1;
        const isExit = at[node] === program[t]!.length && done[t] === limit[t];
        if ((isStart || isExit) && readyNode(t) >= 0) {
          nodes[t]!++;
          moved = true;
        }
      }
    }
  };

  /** The next event of a thread, if it may run now; -1 otherwise. */
  const readyEvent = (t: number): number => {
    const place = done[t]!;
    if (place >= limit[t]!) return -1;
    const event = program[t]![place]!;
    if (event === last && length < total - 1) return -1;
    if (ends && event === ends.remote && !isFirstDone) return -1;
    const index = nodes[t]!;
    if (index >= order.cut(t)) return event;
    // An unpassed start holds the thread back; a node of a later place does not.
    const next = at[base[t]! + index]!;
    if (next > place) return event;
    return readyNode(t) < 0 ? -1 : event;
  };

  const isNode = (t: number, event: number): boolean =>
    nodes[t]! < order.cut(t) && at[base[t]! + nodes[t]!] === skeleton.place[event];

  for (;;) {
    if (floor < 0) passVirtual();
    if (length === total) return out;
    let event = Number.MAX_SAFE_INTEGER;
    let thread = -1;
    for (let t = 0; t < threads; t++) {
      const candidate = readyEvent(t);
      if (candidate > floor && candidate < event) {
        event = candidate;
        thread = t;
      }
    }
    if (thread < 0 || (floor < 0 && dead.size > 0 && dead.has(done.join()))) {
      // Nothing is left to try here: back to the last acquire that something else could have replaced.
      const choice = choices.pop();
      if (!choice) return 'impossible';
      if (++spent > budget) return 'exhausted';
      dead.add(done.join());
      order.undo(choice.mark);
      ({ length, done, nodes } = choice);
      floor = choice.tried;
      isFirstDone =
        ends !== null && done[skeleton.trace.events.thread[ends.first]!]! > skeleton.place[ends.first]!;
      continue;
    }
    const hasNode = isNode(thread, event);
    const node = base[thread]! + nodes[thread]!;
    if (hasNode && kind[node] === NodeKind.Acquire) {
      const mark = order.mark();
      if (!claim(order, node, nodes)) {
        order.undo(mark);
        if (++spent > budget) return 'exhausted';
        floor = event;
        continue;
      }
      // Without a new edge nothing was decided, and nothing can be undone here.
      if (order.mark() > mark)
        choices.push({ mark, length, done: done.slice(), nodes: nodes.slice(), tried: event });
    }
    out[length++] = event;
    done[thread]!++;
    if (hasNode) nodes[thread]!++;
    if (event === ends?.first) isFirstDone = true;
    floor = -1;
  }
}

/** The section of `acquire` comes before every rival that has not begun. */
function claim(order: Order, acquire: number, nodes: Int32Array): boolean {
  for (const rival of order.skeleton.rivals[acquire]!) {
    const next = order.nextBegun(rival, nodes[rival.thread]!);
    if (next >= 0 && !order.isBefore(acquire, next) && !order.putBefore(acquire, next)) return false;
  }
  return true;
}

/** How many events a thread has done when it has done `count` nodes and nothing after them. */
export function eventsAt({ at, base, program }: Skeleton, thread: number, count: number): number {
  if (count === 0) return 0;
  return Math.min(at[base[thread]! + count - 1]! + 1, program[thread]!.length);
}
