/** Prediction from one run against all orders of the program, or as many as the budget allows. */
import type { Schedule } from '../../data/prediction.ts';
import { patternOf, patternsOf } from '../../predictor/explain.ts';
import { predict } from '../../predictor/predict.ts';
import { nextPrefix } from '../../rescheduler/investigate/enumeration.ts';
import type { Executed } from '../../rescheduler/subjects/execution.ts';
import { classifyMissed, classifyUnreachable } from './classify.ts';
import type { compile } from './run.ts';

/** A pattern about which they disagree, and why. */
export interface Odd {
  readonly pattern: string;
  readonly why: string;
}

export interface Comparison {
  readonly orders: number;
  /** False: the budget ended the enumeration; then misses are counted, unreachable ones are not. */
  readonly complete: boolean;
  readonly reachable: number;
  readonly predicted: number;
  readonly missed: readonly Odd[];
  readonly unreachable: readonly Odd[];
  /** Predicted orders that the gate followed, and those of them that enumeration does not know. */
  readonly followed: number;
  readonly impossible: readonly (readonly string[])[];
  readonly faithful: boolean;
}

/** Predicted orders of a program that are forced. */
const MOST_FORCED = 20;

/** Null where the observed run fails or gets stuck: there is nothing to compare. */
export async function compare(
  run: ReturnType<typeof compile>,
  maxOrders: number,
): Promise<Comparison | null> {
  const { trace, result } = await run({ kind: 'observed' });
  if (!trace || result.outcome !== 'pass') return null;
  const { cutPoints, schedules, stats } = predict(trace);
  const predicted = new Map(cutPoints.map((cutPoint) => [patternOf(cutPoint), cutPoint]));
  const { reachable, orders, count, complete } = await enumerate(run, maxOrders);
  const force = (steps: readonly string[]): Promise<Executed<void>> => {
    const schedule: Schedule = { id: '', cutPoint: null, steps, moves: 0, switches: 0, stallMs: 0 };
    return run({ kind: 'directed', schedule, cutPoint: null });
  };
  const unreachable: Odd[] = [];
  const impossible: (readonly string[])[] = [];
  let followed = 0;
  if (complete) {
    for (const [pattern, cutPoint] of predicted) {
      if (reachable.has(pattern)) continue;
      const own = schedules.find((s) => s.cutPoint === cutPoint.id);
      unreachable.push({ pattern, why: await classifyUnreachable(trace, pattern, own, force) });
    }
    for (const schedule of schedules.slice(0, MOST_FORCED)) {
      const forced = await force(schedule.steps);
      if (forced.result.followed !== 'followed') continue;
      followed += 1;
      if (!orders.has(forced.result.steps.join())) impossible.push(forced.result.steps);
    }
  }
  return {
    orders: count,
    complete,
    reachable: reachable.size,
    predicted: predicted.size,
    missed: [...reachable]
      .filter(([pattern]) => !predicted.has(pattern))
      .map(([pattern, steps]) => ({ pattern, why: classifyMissed(trace, pattern, steps) })),
    unreachable,
    followed,
    impossible,
    faithful: stats.faithful,
  };
}

/** The patterns that orders show, each with the first of these orders; and all orders. */
async function enumerate(run: ReturnType<typeof compile>, maxOrders: number) {
  const reachable = new Map<string, readonly string[]>();
  const orders = new Set<string>();
  let prefix: readonly string[] | null = [];
  let count = 0;
  for (; prefix !== null && count < maxOrders; count++) {
    const { trace, result }: Executed<void> = await run({ kind: 'prefix', prefix });
    orders.add(result.steps.join());
    if (trace)
      for (const pattern of patternsOf(trace, true))
        if (!reachable.has(pattern)) reachable.set(pattern, result.steps);
    prefix = nextPrefix(result);
  }
  return { reachable, orders, count, complete: prefix === null };
}
