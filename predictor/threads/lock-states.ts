/**
 * Locksets and acquisition histories (Penelope §3.1; Kahlon, Ivančić and Gupta 2005), taken *after* each node,
 * inner re-entrant pairs removed. Two points are *compatible* if their locksets do not exclude each other and
 * no two histories cross. That is necessary for reaching both at once whatever the locking; with two threads,
 * nested locks and no order-only operations it is sufficient, too.
 */
import { NodeKind, type Skeleton } from './skeleton.ts';

/** A lock, taken alone or for reading. */
export interface LockUse {
  readonly lock: number;
  readonly shared: boolean;
}

export interface LockHold extends LockUse {
  /** What was acquired since this hold began, released or not. */
  readonly history: readonly LockUse[];
}

export type LocksHeld = readonly LockHold[];

export class LockStates {
  /** By thread, then by interval. */
  private readonly states: LocksHeld[][];

  constructor(skeleton: Skeleton) {
    const { base, kind, lock, match, threads } = skeleton;
    this.states = Array.from({ length: threads }, (_, t) => {
      let state: (LockHold & { readonly acquire: number })[] = [];
      const states: LocksHeld[] = [state];
      for (let n = base[t]!; n < base[t + 1]!; n++) {
        if (kind[n] === NodeKind.Acquire) {
          const taken = { lock: lock[n]!, shared: skeleton.sectionsOf(n).shared };
          state = state.map((held) => ({ ...held, history: [...held.history, taken] }));
          state.push({ ...taken, history: [], acquire: n });
        } else if (kind[n] === NodeKind.Release) state = state.filter((held) => held.acquire !== match[n]);
        states.push(state);
      }
      return states;
    });
  }

  at(thread: number, interval: number): LocksHeld {
    return this.states[thread]![interval]!;
  }
}

/** Why two points cannot be reached together, in locks; null if they are compatible. */
export function conflictOf(a: LocksHeld, b: LocksHeld): { readonly locks: readonly number[] } | null {
  const excludes = (x: LockUse, y: LockUse): boolean => x.lock === y.lock && !(x.shared && y.shared);
  for (const held of a) if (b.some((other) => excludes(held, other))) return { locks: [held.lock] };
  for (const held of a)
    for (const other of b)
      if (held.history.some((h) => excludes(h, other)) && other.history.some((h) => excludes(h, held)))
        return { locks: [held.lock, other.lock] };
  return null;
}

/** Equal for states that are compatible with the same others. */
export function classOf(state: LocksHeld): string {
  const name = ({ lock, shared }: LockUse): string => `${shared ? '~' : ''}${lock}`;
  return state
    .map((held) => `${name(held)}:${[...new Set(held.history.map(name))].sort().join(' ')}`)
    .sort()
    .join(';');
}
