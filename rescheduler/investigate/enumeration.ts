/** All orders of a test, depth first by re-execution. It may be left at any time and taken up again later. */
import type { RunResult } from '../../data/run.ts';

/**
 * Leaves of the tree of all orders, by the numbers of steps that were enabled on one way through it (Knuth 1975); finite, as reports
 * can hold no other number.
 * @param breadth Natural logarithm of the product of these.
 */
export const leavesOf = (breadth: number): number => Math.min(Math.exp(breadth), Number.MAX_VALUE);

export class Enumeration {
  /** The steps that the next run has to take first; null: every order was executed. */
  next: readonly string[] | null = [];
  /** Orders executed so far; each is met once. */
  count = 0;
  /** Every run so far came to its end along its prefix, with nothing beside the gate. */
  exact = true;

  /** Takes in the run that began with {@link next}. */
  took(result: RunResult): void {
    this.count += 1;
    // A run that did not come to its end, or not along its prefix, says nothing of the orders beyond.
    this.exact &&= result.outcome !== 'unknown' && isPrefix(this.next ?? [], result.steps);
    this.exact &&= Object.keys(result.ungated).length === 0 && !result.paced;
    this.next = nextPrefix(result);
  }

  /** Every feasible order was executed. */
  get isComplete(): boolean {
    return this.next === null && this.exact;
  }
}

function isPrefix(prefix: readonly string[], steps: readonly string[]): boolean {
  return prefix.every((step, i) => steps[i] === step);
}

/** The next prefix in depth-first order, or null when every order was run. */
export function nextPrefix(result: Pick<RunResult, 'choices' | 'steps'>): readonly string[] | null {
  const choices = result.choices ?? [];
  for (let i = choices.length - 1; i >= 0; i--) {
    const options = choices[i] as readonly string[];
    const at = options.indexOf(result.steps[i] as string);
    if (at >= 0 && at + 1 < options.length) return [...result.steps.slice(0, i), options[at + 1] as string];
  }
  return null;
}
