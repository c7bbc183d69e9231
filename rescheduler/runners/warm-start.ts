/** How a process is started in which cases of a runner are run again and again. */
import { type RunnerName, runnerRow } from '../../data/runners.ts';

/**
 * Environment variable with the file of the cases, for those who are not to load it before the first request; empty where
 * the process is for the cases of all files.
 */
export const WARM_FILE = 'UNWEAVE_WARM_FILE';

/**
 * A module that is loaded into the command line of the runner itself, from `rescheduler/subjects/`; null: it is not. Those of
 * `node:test` need no command line: they have an entry of our own.
 */
export const withinRunner = (runner: RunnerName): string | null =>
  runnerRow(runner).warm === 'command' ? `../runners/${runner}/warm-entry` : null;

/** The command itself is started, with the job to serve, and one of its processes does. */
export const isServed = (runner: RunnerName): boolean => runnerRow(runner).warm === 'served';
