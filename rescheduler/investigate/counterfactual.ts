/**
 * The counterfactual of a failing order: the nearest passing one, one move away. Two orders that differ in one
 * move, of which one fails and one passes, tell more than either.
 */
import type { RunResult, StrategySpec } from '../../data/run.ts';
import { numbered } from '../../data/schedule-step.ts';

/** One step of the failing order, and where it has to come for the test to pass. */
interface StepMove {
  readonly step: string;
  readonly now: 'before' | 'after';
  readonly anchor: string;
  /** What followed of the same task moved with it. */
  readonly block: boolean;
}

export interface Counterfactual extends StepMove {
  /** The passing order. */
  readonly steps: readonly string[];
}

/** Warm runs that may be spent on one search. */
const MAX_RUNS = 40;
/** So many that passed once and not each time are enough: chance has a hand in it. */
const MOST_REFUTED = 2;

/**
 * `failing`: the order that was executed; `natural`: the observed one; `taskOf` names the task of a step. First
 * single steps are moved, then a step with what follows of its task. One in which all that follows stays as it was is
 * nearer than any other. `passesEachTime`: what passed once is tried again by it. `isOver`: no further run may begin. null:
 * none was found in time.
 */
export async function nearestPassing(
  failing: readonly string[],
  natural: readonly string[],
  taskOf: (step: string) => string,
  run: (spec: StrategySpec) => Promise<RunResult>,
  isOver: () => boolean = () => false,
  passesEachTime: (candidate: Counterfactual) => Promise<boolean> = async () => true,
): Promise<Counterfactual | null> {
  const pairs = turnedRound(failing, natural);
  const blocks = pairs.filter(([i, j]) => taskOf(failing[i] as string) !== taskOf(failing[j] as string));
  const candidates = [
    ...pairs.flatMap((pair) => stepMoves(failing, pair)).slice(0, MAX_RUNS),
    ...blocks.map((pair) => blockMove(failing, pair, taskOf)).slice(0, MAX_RUNS),
  ];
  let near: Counterfactual | null = null;
  let refuted = 0;
  for (const candidate of candidates) {
    if (isOver() || refuted >= MOST_REFUTED) break;
    const { outcome, steps } = await run(forced(candidate.steps));
    if (outcome !== 'pass') continue;
    if (agree(steps, candidate.steps)) {
      if (await passesEachTime(candidate)) return candidate;
      refuted += 1;
      continue;
    }
    // Behind the move another way may be the only one, as where somebody holds a lock now.
    const changed = candidate.steps.lastIndexOf(
      candidate.now === 'after' ? candidate.step : candidate.anchor,
    );
    if (agree(steps, candidate.steps.slice(0, changed + 1))) near ??= candidate;
  }
  return near && (await passesEachTime(near)) ? near : null;
}

/**
 * Whether a run took the steps of an order in that order. Those that only one of the two has are consequences: a test
 * that passes goes on where one that fails cleans up.
 */
export function agree(taken: readonly string[], wanted: readonly string[]): boolean {
  const [here, there] = [numbered(taken), numbered(wanted)];
  const [a, b] = [new Set(here), new Set(there)];
  const common = there.filter((step) => a.has(step));
  return here.filter((step) => b.has(step)).every((step, at) => step === common[at]);
}

/** The specification that forces these steps and leaves the rest to the observed order. */
export function forced(steps: readonly string[]): StrategySpec {
  const schedule = { id: 'counterfactual', cutPoint: null, steps, moves: 1, switches: 0, stallMs: 0 };
  return { kind: 'directed', schedule, cutPoint: null };
}

/** Pairs farther apart than this are no nearest ones. */
const REACH = 200;

/** Positions of every two steps that come in the other order naturally, nearest pairs first. */
function turnedRound(failing: readonly string[], natural: readonly string[]): [number, number][] {
  const place = new Map(numbered(natural).map((name, at) => [name, at]));
  const rank = numbered(failing).map((name) => place.get(name) ?? Number.POSITIVE_INFINITY);
  const pairs: [number, number][] = [];
  for (let i = 0; i < failing.length; i++)
    for (let j = i + 1; j < Math.min(failing.length, i + REACH); j++)
      if ((rank[i] as number) > (rank[j] as number)) pairs.push([i, j]);
  return pairs.sort(([a, b], [c, d]) => b - a - (d - c));
}

/** The earlier step put behind the later one, or the later one before the earlier one. */
function stepMoves(failing: readonly string[], [i, j]: [number, number]): Counterfactual[] {
  const [early, late] = [failing[i] as string, failing[j] as string];
  const between = failing.slice(i + 1, j);
  const head = failing.slice(0, i);
  // What comes behind stays as it is: an order that is given up there passes because the rest comes as usual.
  const tail = failing.slice(j + 1);
  const order = (...steps: readonly string[]): string[] => [...head, ...steps, ...tail];
  return [
    { step: early, now: 'after', anchor: late, block: false, steps: order(...between, late, early) },
    { step: late, now: 'before', anchor: early, block: false, steps: order(late, early, ...between) },
  ];
}

/** The earlier step, and what its task does until the later one, put behind the later one. */
function blockMove(
  failing: readonly string[],
  [i, j]: [number, number],
  taskOf: (step: string) => string,
): Counterfactual {
  const [early, late] = [failing[i] as string, failing[j] as string];
  const task = taskOf(early);
  const between = failing.slice(i + 1, j).filter((step) => taskOf(step) !== task);
  const [moved, tail] = [failing.slice(i, j), failing.slice(j + 1)];
  return {
    step: early,
    now: 'after',
    anchor: late,
    block: true,
    steps: [
      ...failing.slice(0, i),
      ...between,
      late,
      ...moved.filter((step) => taskOf(step) === task),
      ...tail,
    ],
  };
}
