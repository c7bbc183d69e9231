/** What became of a schedule, in the words used by code, store and reports. */

export const VERDICTS = [
  'confirmed',
  'passed',
  'infeasible',
  'diverged',
  'deadlock',
  'unknown',
  'conditional',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** How often each verdict was given. */
export type VerdictCounts = Record<Verdict, number>;

/** Zero for every verdict. */
export function noVerdicts(): VerdictCounts {
  return { confirmed: 0, passed: 0, infeasible: 0, diverged: 0, deadlock: 0, unknown: 0, conditional: 0 };
}
