/** Why three accesses are a cut point, or which lock or edge forbids it. */
import { conflictOf, LockStates, type LocksHeld } from './lock-states.ts';
import type { Occurrence } from './occurrences.ts';
import type { Reach, Reached } from './reach.ts';
import { type Reduced, reduceSwitches } from './reduce.ts';
import type { Skeleton } from './skeleton.ts';

/** What keeps an occurrence from being reached. */
export type Obstacle =
  /** Wherever the local thread stands between its accesses, locks held there and at the remote access exclude. */
  | { readonly kind: 'locks'; readonly conflicts: readonly (readonly number[])[] }
  /** In every order the remote access comes before the first, or after the second, because of `event`. */
  | { readonly kind: 'order'; readonly remote: 'before-first' | 'after-second'; readonly event: number }
  /** Each of these may hold by itself: no order satisfies all threads at once. */
  | { readonly kind: 'together' };

export interface Explanation {
  /** Locks held at the first and the remote access, with what was acquired since. */
  readonly first: LocksHeld;
  readonly remote: LocksHeld;
  readonly verdict:
    | (Reached & { readonly kind: 'reachable'; readonly cut: LocksHeld; readonly reduced: Reduced })
    | { readonly kind: 'unreachable'; readonly obstacle: Obstacle }
    | { readonly kind: 'undecided' };
}

export function explain(skeleton: Skeleton, reach: Reach, triple: Occurrence): Explanation {
  const { interval, trace } = skeleton;
  const { thread } = trace.events;
  const states = new LockStates(skeleton);
  const at = (event: number): LocksHeld => states.at(thread[event]!, interval[event]!);
  const held = { first: at(triple.first), remote: at(triple.remote) };
  const reached = reach.reach(triple);
  if (reached === 'undecided') return { ...held, verdict: { kind: 'undecided' } };
  if (reached === null)
    return { ...held, verdict: { kind: 'unreachable', obstacle: obstacleOf(skeleton, states, triple) } };
  // Where the local thread stands when the remote access is executed.
  let place = triple.first;
  for (const event of reached.schedule) {
    if (event === triple.remote) break;
    if (thread[event] === thread[triple.first]) place = event;
  }
  const next = skeleton.program[thread[place]!]![skeleton.place[place]! + 1]!;
  const reduced = reduceSwitches(skeleton, reached.schedule);
  return { ...held, verdict: { kind: 'reachable', ...reached, cut: at(next), reduced } };
}

function obstacleOf(skeleton: Skeleton, states: LockStates, triple: Occurrence): Obstacle {
  const { interval, trace } = skeleton;
  const { first, remote, second } = triple;
  const local = trace.events.thread[first]!;
  const other = trace.events.thread[remote]!;
  const after = edgeBehind(skeleton, remote, local, interval[second]!);
  if (after >= 0) return { kind: 'order', remote: 'after-second', event: after };
  const before = edgeBehind(skeleton, first, other, interval[remote]!);
  if (before >= 0) return { kind: 'order', remote: 'before-first', event: before };
  const conflicts = new Map<string, readonly number[]>();
  for (let at = interval[first]!; at <= interval[second]!; at++) {
    const conflict = conflictOf(states.at(local, at), states.at(other, interval[remote]!));
    if (!conflict) return { kind: 'together' };
    conflicts.set(conflict.locks.join(), conflict.locks);
  }
  return { kind: 'locks', conflicts: [...conflicts.values()] };
}

/** The operation by which `event` needs more than `limit` nodes of another thread; -1 if it does not. */
function edgeBehind(skeleton: Skeleton, event: number, thread: number, limit: number): number {
  const { at, base, interval, must, needs, program, threadOf, threads, trace } = skeleton;
  const own = trace.events.thread[event]!;
  for (let node = base[own]!; node < base[own]! + interval[event]!; node++) {
    if (must[node * threads + thread]! <= limit) continue;
    // A start is no event of its thread: the fork is.
    const cause = at[node]! >= 0 ? node : needs[node]![0]!;
    return program[threadOf[cause]!]![at[cause]!]!;
  }
  return -1;
}
