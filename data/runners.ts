/** The test runners whose test cases are subjects of their own. */
export const RUNNERS = ['node-test', 'mocha', 'vitest', 'jest', 'uvu'] as const;
export type RunnerName = (typeof RUNNERS)[number];
/** Those of whose tests the worker threads are followed. */
export const FOLLOWS_THREADS: ReadonlySet<RunnerName> = new Set(['node-test', 'mocha']);
