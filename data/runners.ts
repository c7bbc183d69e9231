/**
 * The test runners whose test cases are subjects of their own: a row for each, from which all lists of them are made. Where a
 * project calls several, the first is taken for its runner; but for those without a command of their own, which come last.
 */

/** What is known of a runner outside of the processes that run its tests. */
export interface RunnerRow {
  /** As people call it. */
  readonly title: string;
  /** The first major version that is seen; absent: all. */
  readonly since?: number;
  /** Its own command, where it has one. */
  readonly command: string | null;
  /** A call of it in a script of a package.json. */
  readonly called: RegExp;
  /** Packages whose scripts carry its tests out, in processes or threads. */
  readonly carriedOutBy: readonly string[];
  /** Its packages besides, as patterns: what they do is not done by the program. */
  readonly parts: readonly RegExp[];
  /** What its variables in the environment of a test begin with. */
  readonly variables: readonly string[];
  /** How forced runs share a process: one of ours, the runner's own command, a command that serves them. */
  readonly warm: 'entry' | 'command' | 'served';
  /** Its modules all come through the loader of their process. Others keep what they made of a source. */
  readonly tellsLoaded: boolean;
  /** The module that gives `test` to a file; null: it is there. */
  readonly testFrom: string | null;
  /** A test with that (quoted) name and a time-out: what `unweave export` writes. */
  readonly testOf: (name: string, body: string, timeoutMs: number) => readonly string[];
}

export const RUNNERS = {
  'node-test': {
    ...{ title: 'node:test', command: null, called: /\bnode\b[^&|;]*\s--test\b/ },
    ...{ carriedOutBy: [], parts: [], variables: ['NODE_TEST_'] },
    ...{ warm: 'entry', tellsLoaded: true },
    testFrom: 'node:test',
    testOf: (name, body, timeout) => [`test(${name}, { timeout: ${timeout} }, ${body});`],
  },
  vitest: {
    ...{ title: 'Vitest', since: 1, command: 'vitest', called: /\bvitest\b/ },
    ...{ carriedOutBy: ['vitest', 'tinypool'], parts: [/@vitest\/[^/]+/], variables: ['VITEST'] },
    ...{ warm: 'served', tellsLoaded: false },
    testFrom: 'vitest',
    testOf: (name, body, timeout) => [`test(${name}, ${body}, ${timeout});`],
  },
  jest: {
    ...{ title: 'Jest', since: 27, command: 'jest', called: /\bjest\b/ },
    carriedOutBy: ['jest', 'jest-cli', 'jest-worker'],
    ...{ parts: [/jest-[^/]+/, /@jest\/[^/]+/], variables: ['JEST_'] },
    ...{ warm: 'served', tellsLoaded: false },
    testFrom: null,
    testOf: (name, body, timeout) => [`test(${name}, ${body}, ${timeout});`],
  },
  mocha: {
    ...{ title: 'Mocha', command: 'mocha', called: /\bmocha\b/ },
    ...{ carriedOutBy: ['mocha'], parts: [], variables: ['MOCHA_'] },
    ...{ warm: 'command', tellsLoaded: true },
    testFrom: null,
    testOf: (name, body, timeout) => [`it(${name}, ${body}).timeout(${timeout});`],
  },
  uvu: {
    ...{ title: 'uvu', command: 'uvu', called: /\buvu\b/ },
    ...{ carriedOutBy: ['uvu'], parts: [], variables: [] },
    ...{ warm: 'entry', tellsLoaded: false },
    testFrom: 'uvu',
    // It has no time-out.
    testOf: (name, body) => [`test(${name}, ${body});`, 'test.run();'],
  },
} as const satisfies Readonly<Record<string, RunnerRow>>;

export type RunnerName = keyof typeof RUNNERS;
export type RunnerTable = Readonly<Record<string, RunnerRow>>;

/** The names that a table has. */
export const namesIn = <T extends RunnerTable>(table: T): (keyof T & string)[] => Object.keys(table);
export const RUNNER_NAMES = namesIn(RUNNERS);

export const runnerRow = (name: RunnerName): RunnerRow => RUNNERS[name];

/** For people, with the first version of each that is seen. */
export function runnersForPeople(table: RunnerTable = RUNNERS): string {
  const all = Object.values(table).map(({ title, since }) => (since ? `${title} from ${since} on` : title));
  return `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** Patterns of the packages that are runners or parts of them. */
export const runnerPackages = (table: RunnerTable = RUNNERS): string =>
  Object.values(table)
    .flatMap(({ carriedOutBy, parts }) => [...carriedOutBy, ...parts.map(({ source }) => source)])
    .join('|');

const ONE = new RegExp(`^(?:${runnerPackages()})$`);

/** Whether a package is a runner, or a part of one. */
export const isOfRunners = (name: string): boolean => ONE.test(name);
