/**
 * How much of a table or of a random search `npm test` runs: a part that is chosen for good. `UNWEAVE_TESTS=all` runs the whole.
 */
export const WHOLE = process.env['UNWEAVE_TESTS'] === 'all';

export const extent = (part: number, whole: number): number => (WHOLE ? whole : part);

/** The options of a test whose class another one stands for: it is skipped, unless the whole is asked for. */
export const MORE = {
  skip: WHOLE ? false : 'one of its class is run: UNWEAVE_TESTS=all runs it, too',
} as const;

/** Whether the `at`th of the rows is run: each `one`th, unless all are. */
export const isRun = (at: number, one: number): boolean => WHOLE || at % one === 0;
