/** Which activation is the transaction of two accesses, and what is remote to it. */
import type { Activation } from '../data/trace.ts';

export interface Transactions {
  /**
   * Innermost common activation of two; where the user said `not-atomic` of it, the nearest around it that the
   * user called `atomic`. -1 when there is none, or a root.
   */
  common(a: number, b: number): number;
  /** True when `inner` is `outer` or was caused by it. */
  within(inner: number, outer: number): boolean;
  /** The outermost activation below the root: the task as people see it. */
  taskOf(activation: number): number;
}

export function transactions(activations: readonly Activation[]): Transactions {
  const depth = new Int32Array(activations.length);
  for (const a of activations) depth[a.id] = a.parent < 0 ? 0 : (depth[a.parent] as number) + 1;
  const parent = (id: number): number => activations[id]?.parent ?? -1;
  const within = (inner: number, outer: number): boolean => {
    let at = inner;
    while (at >= 0 && (depth[at] as number) > (depth[outer] as number)) at = parent(at);
    return at === outer;
  };
  return {
    within,
    common(a, b) {
      while (a !== b && a >= 0 && b >= 0) {
        if ((depth[a] as number) >= (depth[b] as number)) a = parent(a);
        else b = parent(b);
      }
      let at = a === b ? activations[a] : undefined;
      // Where the user says that it is none, only an enclosing one that the user calls atomic can be meant.
      if (at?.atomic === false) while (at && at.atomic !== true) at = activations[at.parent];
      return !at || at.kind === 'root' ? -1 : at.id;
    },
    taskOf(id) {
      let at = id;
      for (;;) {
        const up = parent(at);
        if (up < 0 || activations[up]?.kind === 'root') return at;
        at = up;
      }
    },
  };
}
