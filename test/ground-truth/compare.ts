import { patternOf, patternsOf } from '../../predictor/explain.ts';
import { predict } from '../../predictor/predict.ts';
import { nextPrefix } from '../../rescheduler/investigate/investigate.ts';
import type { Executed } from '../../rescheduler/subjects/execution.ts';
import type { compile } from './run.ts';

export interface Comparison {
  readonly orders: number;
  /** False: the budget ended the enumeration; then misses are counted, unreachable ones are not. */
  readonly complete: boolean;
  readonly reachable: number;
  readonly predicted: number;
  readonly missed: readonly string[];
  readonly unreachable: readonly string[];
  readonly faithful: boolean;
  /** Observed run failed or got stuck: nothing to compare. */
  readonly skipped: string | null;
}

export async function compare(run: ReturnType<typeof compile>, maxOrders: number): Promise<Comparison> {
  const observed = await run({ kind: 'observed' });
  const none = {
    orders: 0,
    complete: true,
    reachable: 0,
    predicted: 0,
    missed: [],
    unreachable: [],
    faithful: true,
  };
  if (!observed.trace || observed.result.outcome !== 'pass')
    return { ...none, skipped: observed.result.outcome };
  const prediction = predict(observed.trace);
  const predicted = new Set(prediction.cutPoints.map(patternOf));
  const reachable = new Set<string>();
  let prefix: readonly string[] | null = [];
  let orders = 0;
  while (prefix !== null && orders < maxOrders) {
    const executed: Executed<void> = await run({ kind: 'prefix', prefix });
    orders += 1;
    if (executed.trace) for (const pattern of patternsOf(executed.trace)) reachable.add(pattern);
    prefix = nextPrefix(executed.result);
  }
  const complete = prefix === null;
  return {
    orders,
    complete,
    reachable: reachable.size,
    predicted: predicted.size,
    missed: [...reachable].filter((p) => !predicted.has(p)),
    unreachable: complete ? [...predicted].filter((p) => !reachable.has(p)) : [],
    faithful: prediction.stats.faithful,
    skipped: null,
  };
}
