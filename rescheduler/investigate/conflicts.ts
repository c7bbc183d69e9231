/**
 * What forced orders have shown that cannot be, as solvers keep the conflicts that they met: a step that did not come where certain others
 * were left out before it most likely needs one of these, though no trace tells that it does. The last of a hundred callbacks goes
 * on, and prediction knows of that one alone; each order in which one of the others comes later asks for what does not come. Most
 * likely is not certain, so such orders are not dropped: they come behind the others.
 */
import type { Schedule } from '../../data/prediction.ts';
import type { RunResult } from '../../data/run.ts';
import { betweenTurns, EVERYTHING_ELSE, isNoEffect, numbered, placesOf } from '../../data/schedule-step.ts';

/** A step that did not come, and what comes before it in the observed order but was left out. */
interface Conflict {
  readonly step: string;
  readonly without: readonly string[];
}

export class Conflicts {
  private readonly natural: readonly string[];
  private readonly places: ReadonlyMap<string, number>;
  private readonly known = new Map<string, Conflict>();

  /** `natural`: the steps of the observed order. */
  constructor(natural: readonly string[]) {
    this.natural = numbered(natural);
    this.places = placesOf(this.natural);
  }

  /** What came of a predicted order. */
  look({ steps }: Schedule, { divergence }: Pick<RunResult, 'divergence'>): void {
    if (!divergence) return;
    const order = stepsOf(steps);
    const step = order[divergence.at];
    const without = step === undefined ? [] : this.leftOut(step, placesOf(order));
    if (without.length > 0) this.known.set([step, ...without].join('\n'), { step: step!, without });
  }

  /** Whether an order asks for what did not come, and leaves out before it what was left out then, or more. */
  isMetBy({ steps }: Schedule): boolean {
    if (this.known.size === 0) return false;
    const places = placesOf(stepsOf(steps));
    return this.known.values().some(({ step, without }) => {
      const at = places.get(step);
      return at !== undefined && without.every((other) => (places.get(other) ?? Infinity) > at);
    });
  }

  private leftOut(step: string, places: ReadonlyMap<string, number>): string[] {
    const at = places.get(step)!;
    const before = this.natural.slice(0, this.places.get(step) ?? 0);
    return before.filter((other) => (places.get(other) ?? Infinity) > at);
  }
}

/** As a run that is directed counts them. What is not mentioned comes there as well, so nothing is known to be left out. */
const stepsOf = (steps: readonly string[]): string[] =>
  steps.includes(EVERYTHING_ELSE)
    ? []
    : numbered(steps.filter((step) => !isNoEffect(step)).map(betweenTurns));
