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
  /** The task as people see it: the outermost activation below the {@link trunkOf trunk}; the root for the trunk. */
  taskOf(activation: number): number;
  /** What runs on its own: the nearest activation that nobody awaits in place, itself included. */
  strandOf(activation: number): number;
}

/**
 * The body of the test: the root, and what only wraps it, as `withTempDir(async (dir) => …)` and
 * `await runAll(jobs)` do. Such a call is awaited in place, or is the only one, starts at least two activations
 * that are not awaited in place, and nothing else that the body calls runs beside it.
 */
export function trunkOf(activations: readonly Activation[]): ReadonlySet<number> {
  const children = new Map<number, Activation[]>();
  for (const a of activations) {
    const siblings = children.get(a.parent);
    if (siblings) siblings.push(a);
    else children.set(a.parent, [a]);
  }
  const childrenOf = ({ id }: Activation): readonly Activation[] => children.get(id) ?? [];
  const forks = (a: Activation): number =>
    childrenOf(a).reduce((sum, child) => sum + (child.joined ? forks(child) : 1), 0);
  const trunk = new Set<number>();
  const open = activations.filter((a) => a.kind === 'root');
  for (let at = open.pop(); at; at = open.pop()) {
    trunk.add(at.id);
    const called = childrenOf(at).filter((a) => a.kind === 'async' || a.kind === 'sync');
    if (called.length > 1 && !called.every((a) => a.joined)) continue;
    for (const a of called) if (forks(a) > 1) open.push(a);
  }
  return trunk;
}

export function transactions(activations: readonly Activation[]): Transactions {
  const depth = new Int32Array(activations.length);
  for (const a of activations) depth[a.id] = a.parent < 0 ? 0 : (depth[a.parent] as number) + 1;
  const parent = (id: number): number => activations[id]?.parent ?? -1;
  const trunk = trunkOf(activations);
  /** Those that are known: chains of callbacks are thousands long. */
  const tasks = new Map<number, number>();
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
      const path: number[] = [];
      let at = id;
      for (let task = tasks.get(at); task === undefined; task = tasks.get(at)) {
        path.push(at);
        const up = parent(at);
        if (up < 0 || (trunk.has(up) && !trunk.has(at))) tasks.set(at, at);
        else at = up;
      }
      const task = tasks.get(at) as number;
      for (const each of path) tasks.set(each, task);
      return task;
    },
    strandOf(id) {
      let at = id;
      while (activations[at]?.joined && parent(at) >= 0) at = parent(at);
      return at;
    },
  };
}
