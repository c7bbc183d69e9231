/** The test runners whose test cases are subjects of their own. */
export const RUNNERS = ['node-test', 'mocha', 'vitest'] as const;
export type RunnerName = (typeof RUNNERS)[number];
