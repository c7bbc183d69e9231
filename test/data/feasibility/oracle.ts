/**
 * An independent judge of timer orders: writes down every inequality that the order implies and asks whether
 * any times satisfy them all (Bellman-Ford over the whole run, for every way to divide it into phases).
 */

/** A program: each timer is started by another one's callback, or by the first turn (-1), in index order. */
export interface TimerProgram {
  readonly delay: readonly number[];
  readonly parent: readonly number[];
}

interface Inequality {
  /** to - from >= weight */
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/** All orders in which the timers of a program can fire at all, whatever their delays. */
export function causalOrders({ parent }: TimerProgram): number[][] {
  const orders: number[][] = [];
  const extend = (order: number[]): void => {
    if (order.length === parent.length) orders.push([...order]);
    parent.forEach((p, timer) => {
      if (order.includes(timer) || (p >= 0 && !order.includes(p))) return;
      order.push(timer);
      extend(order);
      order.pop();
    });
  };
  extend([]);
  return orders;
}

/** Whether real Node can fire the timers in this order, given pauses of any length. */
export function possible(program: TimerProgram, order: readonly number[]): boolean {
  for (let cuts = 0; cuts < 1 << (order.length - 1); cuts++) if (solvable(program, order, cuts)) return true;
  return false;
}

/** `cuts`: bit k says that a new timers phase begins between the fires k and k+1. */
function solvable({ delay, parent }: TimerProgram, order: readonly number[], cuts: number): boolean {
  const n = order.length;
  const starts: number[] = new Array(n);
  const fires: number[] = new Array(n);
  let moments = 0;
  const startChildren = (of: number): void => {
    for (let timer = 0; timer < n; timer++) if (parent[timer] === of) starts[timer] = moments++;
  };
  startChildren(-1);
  const ends: number[] = new Array(n);
  for (const timer of order) {
    fires[timer] = moments++;
    startChildren(timer);
    ends[timer] = moments - 0.5;
  }
  const all: Inequality[] = [];
  for (let m = 0; m + 1 < moments; m++) all.push({ from: m, to: m + 1, weight: 0 });

  let phase = -1;
  let before = -1;
  /** Where Node looked at the clock last: phases are 1 ms apart from there. */
  let looked = -1;
  order.forEach((timer, k) => {
    const isNew = k === 0 || (cuts & (1 << (k - 1))) !== 0;
    const pending = [...Array(n).keys()].filter((t) => order.indexOf(t) >= k && starts[t]! < fires[timer]!);
    if (isNew) {
      // Whoever is left behind by the phase that ends was not due at it.
      if (phase >= 0)
        for (const t of pending)
          if (starts[t]! < phase) all.push({ from: phase, to: starts[t]!, weight: 1 - delay[t]! });
      if (looked >= 0) all.push({ from: looked, to: fires[timer]!, weight: 1 });
      phase = fires[timer]!;
      looked = phase;
    } else if (starts[timer]! > phase) all.push({ from: 0, to: 0, weight: 1 }); // it is not of this phase
    all.push({ from: starts[timer]!, to: phase, weight: delay[timer]! });
    /** When a list was made, or when it last ran and began to wait for its next timer. */
    const stamp = (list: number): number => {
      const ran = order.slice(0, k).findLast((t) => delay[t] === list);
      const made = Math.min(...pending.filter((t) => delay[t] === list).map((t) => starts[t]!));
      return ran !== undefined && made < ends[ran]! ? ends[ran]! : made;
    };
    const sameList = !isNew && before >= 0 && delay[before] === delay[timer];
    if (!isNew && !sameList) {
      // The list before ran as far as it was due.
      for (const t of pending)
        if (t !== timer && delay[t] === delay[before] && starts[t]! < phase)
          all.push({ from: phase, to: starts[t]!, weight: 1 - delay[t]! });
    }
    if (!sameList)
      for (const t of pending) {
        if (t === timer || delay[t] === delay[timer]) continue;
        const weight = delay[timer]! - delay[t]! + (stamp(delay[timer]!) < stamp(delay[t]!) ? 0 : 1);
        all.push({ from: starts[timer]!, to: starts[t]!, weight });
      }
    // Lists are first in, first out.
    for (const t of pending)
      if (delay[t] === delay[timer] && starts[t]! < starts[timer]!) all.push({ from: 0, to: 0, weight: 1 });
    before = timer;
    for (let t = 0; t < n; t++) if (parent[t] === timer) looked = starts[t]!;
  });
  return hasSolution(moments, all);
}

function hasSolution(moments: number, all: readonly Inequality[]): boolean {
  const times = new Array<number>(moments).fill(0);
  for (let round = 0; round <= moments; round++) {
    let changed = false;
    for (const { from, to, weight } of all)
      if (times[to]! < times[from]! + weight) {
        times[to] = times[from]! + weight;
        changed = true;
      }
    if (!changed) return true;
  }
  return false;
}
