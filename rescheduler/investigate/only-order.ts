import type { RunResult } from '../../data/run.ts';

/**
 * Whether a recorded run settles its test by itself: at none of its steps could anything else have happened, and
 * nothing took part whose order nobody knows. Every other run would take the same steps, so none is worth making.
 */
export function isOnlyOrder({ outcome, breadth, paced, ungated, doubts = [] }: RunResult): boolean {
  const isControlled = !paced && Object.keys(ungated).length === 0 && doubts.length === 0;
  return outcome === 'pass' && breadth === 0 && isControlled;
}
