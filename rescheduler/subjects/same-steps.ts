/**
 * Whether two natural runs of a test did the same. What another process writes comes in as many pieces, and between the
 * other steps, as it comes: where a child is at work, the steps are compared without that.
 */

const OF_A_CHILD = /\|child_process\./;
/** Which piece of what one writer wrote: see `Outside`. */
const PIECE = /\+\d+/g;

export function sameSteps(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === other.length && one.every((step, i) => step === other[i])) return true;
  return one.some((step) => OF_A_CHILD.test(step)) && kinds(one) === kinds(other);
}

const kinds = (steps: readonly string[]): string =>
  [...new Set(steps.map((step) => step.replace(PIECE, '')))].sort().join('\n');
