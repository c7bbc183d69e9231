/**
 * All orders of a program with at most so many preemptions (Musuvathi and Qadeer, PLDI 2007): each execution shows where the
 * next ones may go on otherwise. Who is next when a thread has ended, or waits, is no preemption, and free. Those with fewer come first.
 */

/** Pairs: thread, steps. */
type Grants = readonly number[];

interface Prefix {
  /** What was executed up to here, by thread. */
  readonly sequence: readonly number[];
  readonly preemptions: number;
}

/**
 * Each is answered by what was taken: pairs of thread and steps; null: it could not be followed, and is none.
 * @param natural what was taken without any schedule
 */
export function* boundedOrders(
  natural: Grants,
  threads: number,
  most: number,
): Generator<Grants, void, Grants | null> {
  const levels: Prefix[][] = Array.from({ length: most + 1 }, () => []);
  const expand = (taken: Grants, { sequence, preemptions }: Prefix): void => {
    const steps = stepsIn(taken);
    const last = lastSteps(steps, threads);
    for (let at = sequence.length; at < steps.length; at++) {
      const isFree = at === 0 || steps[at] !== steps[at - 1];
      const cost = preemptions + (isFree ? 0 : 1);
      if (cost > most) continue;
      for (let thread = 0; thread < threads; thread++)
        if (thread !== steps[at] && last[thread]! >= at)
          levels[cost]!.push({ sequence: [...steps.slice(0, at), thread], preemptions: cost });
    }
  };
  expand(natural, { sequence: [], preemptions: 0 });
  for (const level of levels) {
    // It grows by orders of the same kind.
    for (const prefix of level) {
      const taken = yield grantsUpTo(prefix.sequence);
      if (taken) expand(taken, prefix);
    }
  }
}

/** Of each thread, where it takes a step for the last time; -1: never. */
function lastSteps(steps: readonly number[], threads: number): number[] {
  const last = new Array<number>(threads).fill(-1);
  for (const [at, thread] of steps.entries()) last[thread] = at;
  return last;
}

function stepsIn(grants: Grants): number[] {
  const steps: number[] = [];
  for (let at = 0; at < grants.length; at += 2)
    for (let step = 0; step < grants[at + 1]!; step++) steps.push(grants[at]!);
  return steps;
}

function grantsUpTo(steps: readonly number[]): number[] {
  const grants: number[] = [];
  for (const thread of steps)
    if (grants.length > 0 && grants.at(-2) === thread) grants[grants.length - 1]! += 1;
    else grants.push(thread, 1);
  return grants;
}
