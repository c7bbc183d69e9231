/**
 * A test that fails in its natural order may pass in another one: the nearest that does is what everything else is compared
 * with, as the natural order is where that passes.
 */

import type { RunResult, StrategySpec } from '../../data/run.ts';
import { notControlled } from '../../data/ungated.ts';
import { type Attempts, type Known, type Orders, unplanned } from './attempt.ts';
import { forced } from './counterfactual.ts';
import { type MinimiseBudget, minimise } from './minimise.ts';
import { Novelty } from './novelty.ts';

/** The schedule whose order is the natural one. */
export const NATURAL = 'natural';

/** Forces nothing: the natural order, also where runs that force nothing take another one. */
export const naturally: StrategySpec = { kind: 'directed', schedule: unplanned(NATURAL), cutPoint: null };

/** How much may be spent on a search. */
export interface PassingBudget extends MinimiseBudget {
  /** No further run may begin. */
  isOver(): boolean;
}

/** So many runs may take so many times as long where they are slow. */
const LEAST = 14;
const SLOWER = 5;

/**
 * A run that passes and differs from the natural order, whose steps are `natural`, as little as was found; null: none was
 * found. `orders`: those to try, one after the other.
 */
export async function passingOrder(
  orders: readonly Orders[],
  natural: readonly string[],
  run: (spec: StrategySpec) => Promise<RunResult>,
  budget: PassingBudget,
): Promise<RunResult | null> {
  const found = await firstPassing(orders, run, budget);
  if (!found || budget.isOver()) return found;
  const passes = async (steps: readonly string[]) => isSure(await run(forced(steps)));
  const least = await minimise(found.steps, natural, passes, budget);
  const nearest = await run(forced(least));
  return isSure(nearest) ? nearest : found;
}

/** It passes, and nothing took part whose order nobody knows. */
const isSure = ({ outcome, ungated, doubts = [] }: RunResult): boolean =>
  outcome === 'pass' && Object.keys(notControlled(ungated)).length === 0 && doubts.length === 0;

async function firstPassing(
  orders: readonly Orders[],
  run: (spec: StrategySpec) => Promise<RunResult>,
  { runs, forMs, isOver }: PassingBudget,
): Promise<RunResult | null> {
  const started = performance.now();
  let ran = 0;
  const isEnough = (): boolean => {
    const most = (ran < LEAST ? SLOWER : 1) * forMs;
    return ran >= runs || isOver() || performance.now() - started > most;
  };
  for (const each of orders) {
    const novelty = new Novelty();
    const known: Known = {
      failures: 0,
      hasRace: false,
      refutations: 0,
      left: runs - ran,
      leftMs: forMs,
      novelty,
      asideMs: 0,
      orders: null,
      bounded: null,
    };
    const attempts: Attempts = each.attempts(known);
    for (let next = attempts.next(); !next.done && !isEnough(); ran++) {
      const { origin, spec } = next.value;
      const result = await run(spec);
      if (isSure(result)) return result;
      novelty.met(result, origin);
      next = attempts.next(result);
    }
  }
  return null;
}
