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

/** One sentence per verdict, for `--help`, the reports and the documentation. */
export const VERDICT_MEANING: Readonly<Record<Verdict, string>> = {
  confirmed:
    'the order was followed, real Node could produce it, the test failed, and fresh processes in the observed order pass',
  passed: 'the order was followed, the pattern occurred, and the test was content',
  infeasible: 'the wanted step was issued but can never become ready before what must follow it',
  diverged: 'the wanted step was never issued: the program took another way',
  deadlock: 'the test is unsettled, nothing is in flight and nobody can run',
  unknown: 'a watchdog ended the run, or it waited for something outside control',
  conditional: 'a confirmed failure that rests on an assumption: a longer stall, or assumed I/O',
};

/** How often each verdict was given. */
export type VerdictCounts = Record<Verdict, number>;

/** Zero for every verdict. */
export function noVerdicts(): VerdictCounts {
  return { confirmed: 0, passed: 0, infeasible: 0, diverged: 0, deadlock: 0, unknown: 0, conditional: 0 };
}

/** A verdict that is a bug: these alone make the exit code 1. */
export function isBug(verdict: Verdict): boolean {
  return verdict === 'confirmed' || verdict === 'deadlock';
}
