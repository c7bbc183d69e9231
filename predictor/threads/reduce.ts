/**
 * Fewest context switches: the schedule rearranged within its dependences (dependences.ts) so that threads run
 * as long as they can. Breadth-first over what is done after each stretch of one thread, so the first complete
 * one has the fewest stretches. While the states are few that is the minimum: a stretch ends where the thread
 * cannot go on, or before an acquire, which might shut others out. Beyond that only the states that got furthest
 * are kept, and sections keep their order, so that no state is a dead end.
 */
import { Dependences, nodeOf } from './dependences.ts';
import { merged } from './merge.ts';
import { NodeKind, type Skeleton } from './skeleton.ts';

export interface Reduced {
  readonly schedule: Int32Array;
  /** Context switches of the schedule as given, and as returned. */
  readonly before: number;
  readonly after: number;
}

/** Longer schedules have too many states for the minimum. */
const EXACT_EVENTS = 300;
/** What a reduction may cost. */
export interface Effort {
  /** States that are looked at for the minimum. */
  readonly states: number;
  /** Events that are tried in all, beyond that. */
  readonly beam: number;
}

const EFFORT: Effort = { states: 20_000, beam: 2_000_000 };

interface ReducedState {
  readonly done: Int32Array;
  readonly sum: number;
  readonly parent: ReducedState | null;
}

/** Neighbours of different threads. */
export function switchesOf({ trace }: Skeleton, schedule: ArrayLike<number>): number {
  let count = 0;
  for (let i = 1; i < schedule.length; i++)
    if (trace.events.thread[schedule[i]!] !== trace.events.thread[schedule[i - 1]!]) count += 1;
  return count;
}

/** The same events, every conflict as before, with fewer switches or the same schedule. */
export function reduceSwitches(skeleton: Skeleton, schedule: Int32Array, effort = EFFORT): Reduced {
  const { events } = skeleton.trace;
  const before = switchesOf(skeleton, schedule);
  let best = { schedule, before, after: before };
  const offer = (order: Int32Array | null): void => {
    const after = order ? switchesOf(skeleton, order) : before;
    if (order && after < best.after) best = { schedule: order, before, after };
  };
  // No order has fewer switches than threads to switch to.
  const least = new Set(schedule.map((event) => events.thread[event]!)).size - 1;
  offer(merged(events, schedule, skeleton.threads));
  if (best.after <= least) return best;
  const exact = schedule.length <= EXACT_EVENTS ? shortest(skeleton, schedule, effort.states) : null;
  const end = exact ?? widest(skeleton, schedule, effort.beam);
  offer(end && unwind(skeleton, end));
  return best;
}

/** The minimum, or null if there are too many states. */
function shortest(skeleton: Skeleton, schedule: Int32Array, states: number): ReducedState | null {
  const dependences = new Dependences(skeleton, schedule);
  const seen = new Set<string>();
  let level: ReducedState[] = [{ done: new Int32Array(skeleton.threads), sum: 0, parent: null }];
  while (level.length > 0) {
    const next: ReducedState[] = [];
    for (const state of level)
      for (let t = 0; t < skeleton.threads; t++)
        for (const reached of stretches(skeleton, dependences, state, t, true)) {
          if (reached.sum === schedule.length) return reached;
          const name = reached.done.join();
          if (seen.has(name)) continue;
          if (seen.size >= states) return null;
          seen.add(name);
          next.push(reached);
        }
    level = next;
  }
  return null;
}

/** A good one, with a bounded number of states for each number of switches. */
function widest(skeleton: Skeleton, schedule: Int32Array, work: number): ReducedState | null {
  const dependences = new Dependences(skeleton, schedule);
  dependences.addLockOrder(schedule);
  const width = Math.max(1, Math.min(64, Math.floor(work / (schedule.length * skeleton.threads))));
  let level: ReducedState[] = [{ done: new Int32Array(skeleton.threads), sum: 0, parent: null }];
  while (level.length > 0) {
    const next = new Map<string, ReducedState>();
    for (const state of level)
      for (let t = 0; t < skeleton.threads; t++)
        for (const reached of stretches(skeleton, dependences, state, t, false)) {
          if (reached.sum === schedule.length) return reached;
          next.set(reached.done.join(), reached);
        }
    level = [...next.values()].sort((a, b) => b.sum - a.sum).slice(0, width);
  }
  return null;
}

/** What is done after `thread` has run on from a state: as far as it can, and short of each acquire on the way. */
function* stretches(
  skeleton: Skeleton,
  dependences: Dependences,
  state: ReducedState,
  thread: number,
  locks: boolean,
): Generator<ReducedState> {
  const done = state.done.slice();
  const program = skeleton.program[thread]!;
  const length = dependences.lengths[thread]!;
  const from = done[thread]!;
  let sum = state.sum;
  const reached = (): ReducedState => ({ done: done.slice(), sum, parent: state });
  for (; done[thread]! < length; done[thread]!++, sum++) {
    const event = program[done[thread]!]!;
    if (!dependences.isMet(event, done)) break;
    if (!locks || !isAcquire(skeleton, event)) continue;
    if (!isFree(skeleton, event, done)) break;
    if (done[thread]! > from) yield reached();
  }
  if (done[thread]! > from) yield reached();
}

function isAcquire(skeleton: Skeleton, event: number): boolean {
  const node = nodeOf(skeleton, event);
  return node >= 0 && skeleton.kind[node] === NodeKind.Acquire;
}

/** Whether no other thread is in a section that excludes this acquire. */
function isFree(skeleton: Skeleton, event: number, done: Int32Array): boolean {
  const { at, match, rivals } = skeleton;
  for (const { thread, acquires } of rivals[nodeOf(skeleton, event)]!)
    for (const acquire of acquires) {
      if (at[acquire]! >= done[thread]!) break;
      const release = match[acquire]!;
      if (release < 0 || at[release]! >= done[thread]!) return false;
    }
  return true;
}

function unwind(skeleton: Skeleton, end: ReducedState): Int32Array {
  const schedule = new Int32Array(end.sum);
  for (let state: ReducedState = end; state.parent; state = state.parent) {
    const { parent } = state;
    const t = state.done.findIndex((count, thread) => count > parent.done[thread]!);
    schedule.set(skeleton.program[t]!.subarray(parent.done[t]!, state.done[t]!), parent.sum);
  }
  return schedule;
}
