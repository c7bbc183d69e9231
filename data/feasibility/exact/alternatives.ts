/** In which ways a timer may fire next, and the loop may leave its timers phase: what there is to try. */

/**
 * Whether the loop may wait for a timer: `asleep` until it is due; `awake`: no, it must be due by the end of the
 * present turn, the latest moment; `same phase`: only the timers phase that is on may go on.
 */
export type Sleep = 'asleep' | 'awake' | 'same phase';

/** Lists, by delay, in which phases find nothing due, in the order of the visits. */
interface Visits {
  /** In the phase that is on, when it ends. */
  readonly ending: readonly number[];
  /** In a phase at the latest moment, in which nothing fires. */
  readonly idle: readonly number[];
}

/** How a timer would fire: in the timers phase that is on, or in another one; behind visits to the lists `ahead`. */
export interface Firing extends Visits {
  readonly where: 'same' | 'next';
  readonly ahead: readonly number[];
  /** Lists in which phases find nothing due for which the loop wakes up before it sleeps on, each as its place expires. */
  readonly woken: readonly number[];
}

/**
 * How the loop may leave its timers phase: `quiet`: the place of no list expires; `overlooked`: some do, but the alarm has
 * not gone off; `idle`: some lists are visited.
 */
export interface Exit extends Visits {
  readonly way: 'quiet' | 'overlooked' | 'idle';
}

/** Of so many lists that have lost the timer that gave them their place it matters when a phase visits them. */
const MOST_VISITED = 3;

const NOWHERE: readonly number[] = [];
export const SAME: Firing = { where: 'same', ending: NOWHERE, idle: NOWHERE, ahead: NOWHERE, woken: NOWHERE };
export const NEXT: Firing = { ...SAME, where: 'next' };
export const QUIET: Exit = { way: 'quiet', ending: NOWHERE, idle: NOWHERE };
const OVERLOOKED: Exit = { ...QUIET, way: 'overlooked' };

/** In the phase that is on. `stale`: the lists that have lost the timer that gave them their place. */
export function sameWith(delay: number, stale: readonly number[]): readonly Firing[] {
  const others = stale.filter((other) => other !== delay);
  return others.length === 0 ? [SAME] : visits(others, 1).map(([ahead = NOWHERE]) => ({ ...SAME, ahead }));
}

/** In another phase; `isOn`: one is on. */
export function nextWith(
  delay: number,
  stale: readonly number[],
  woken: readonly number[],
  isOn: boolean,
  asleep: boolean,
): readonly Firing[] {
  if (stale.length === 0) return woken.length === 0 ? [NEXT] : [{ ...NEXT, woken }];
  const all = visits(stale, 3).map(
    ([ending = NOWHERE, idle = NOWHERE, ahead = NOWHERE]): Firing => ({
      ...NEXT,
      ending,
      idle,
      ahead,
      woken,
    }),
  );
  return all.filter(
    ({ ending, idle, ahead }) =>
      (isOn || ending.length === 0) && (asleep || idle.length === 0) && !ahead.includes(delay),
  );
}

/** `isOn`: a phase is on; `mayIdle`: another one may come; `overlooks`: one may overlook something. */
export function exitsWith(
  stale: readonly number[],
  isOn: boolean,
  mayIdle: boolean,
  overlooks: boolean,
): readonly Exit[] {
  if (stale.length === 0) return overlooks ? [QUIET, OVERLOOKED] : [QUIET];
  return visits(stale, 2).flatMap(([ending = NOWHERE, idle = NOWHERE]): Exit[] => {
    if (ending.length > 0 && !isOn) return [];
    if (idle.length > 0) return mayIdle ? [{ way: 'idle', ending, idle }] : [];
    const quiet: Exit = { ...QUIET, ending };
    return overlooks ? [quiet, { ...quiet, way: 'overlooked' }] : [quiet];
  });
}

/** Every way to visit some of these lists in some of so many phases, in every order; the least first. */
function visits(delays: readonly number[], phases: number): (readonly (readonly number[])[])[] {
  let all: (readonly (readonly number[])[])[] = [Array.from({ length: phases }, () => NOWHERE)];
  for (const delay of delays.slice(0, MOST_VISITED)) {
    const more = [...all];
    for (const ways of all)
      for (let phase = 0; phase < phases; phase++)
        for (let at = 0; at <= ways[phase]!.length; at++)
          more.push(ways.with(phase, ways[phase]!.toSpliced(at, 0, delay)));
    all = more;
  }
  return all;
}
