/**
 * Locksets and acquisition histories (Penelope §3.1; Kahlon-Ivančić-Gupta), taken *after* each event, inner
 * re-entrant pairs removed. On the event loop the holder of a lock is a task, because a lock taken in an
 * awaited callee is held by its caller as well.
 */
import type { Trace } from '../data/trace.ts';
import { EventKind } from '../data/trace.ts';

export interface LockState {
  readonly locks: readonly number[];
  /** For each held lock, the locks acquired since its current hold began, released or not. */
  readonly histories: readonly (readonly number[])[];
}

const EMPTY: LockState = { locks: [], histories: [] };

/** The lock state at each event, by task (`taskOf` maps an activation to its task). */
export function lockStates(
  trace: Trace,
  taskOf: (activation: number) => number,
): (event: number) => LockState {
  const { events } = trace;
  const current = new Map<number, LockState>();
  const depth = new Map<string, number>();
  const changes = new Map<number, { at: number; state: LockState }[]>();
  for (let i = 0; i < events.length; i++) {
    const kind = events.kind[i];
    if (kind !== EventKind.Acquire && kind !== EventKind.Release) continue;
    const task = taskOf(events.activation[i] as number);
    const lock = events.object[i] as number;
    const key = `${task}:${lock}`;
    const held = depth.get(key) ?? 0;
    const state = current.get(task) ?? EMPTY;
    let next = state;
    if (kind === EventKind.Acquire) {
      depth.set(key, held + 1);
      if (held === 0)
        next = {
          locks: [...state.locks, lock],
          histories: [...state.histories.map((h) => (h.includes(lock) ? h : [...h, lock])), []],
        };
    } else {
      depth.set(key, Math.max(0, held - 1));
      if (held === 1) {
        const at = state.locks.indexOf(lock);
        next = {
          locks: state.locks.filter((_, j) => j !== at),
          histories: state.histories.filter((_, j) => j !== at),
        };
      }
    }
    current.set(task, next);
    const list = changes.get(task);
    if (list) list.push({ at: i, state: next });
    else changes.set(task, [{ at: i, state: next }]);
  }
  return (event) => {
    const list = changes.get(taskOf(events.activation[event] as number));
    if (!list) return EMPTY;
    let low = 0;
    let high = list.length;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if ((list[mid] as { at: number }).at <= event) low = mid + 1;
      else high = mid;
    }
    return low === 0 ? EMPTY : (list[low - 1] as { state: LockState }).state;
  };
}

/** Two points can be reached together: disjoint locksets and no crossed acquisition histories. */
export function compatible(a: LockState, b: LockState): boolean {
  if (a.locks.some((l) => b.locks.includes(l))) return false;
  return !a.locks.some((l, i) =>
    (a.histories[i] as readonly number[]).some((m) => {
      const at = b.locks.indexOf(m);
      return at >= 0 && (b.histories[at] as readonly number[]).includes(l);
    }),
  );
}
