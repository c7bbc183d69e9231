/** Splitting the command line: ours before the first `--`, the test command after it. */

import { RUNNERS, type RunnerTable } from '../data/runners.ts';
import { UsageError } from './errors.ts';
import type { Target } from './options.ts';

/** Our own arguments, and the test command; null when there is no `--`. */
export interface SplitArgv {
  readonly own: readonly string[];
  readonly command: readonly string[] | null;
}

/** Splits at the first `--`. */
export function splitArgv(argv: readonly string[]): SplitArgv {
  const at = argv.indexOf('--');
  return at < 0 ? { own: argv, command: null } : { own: argv.slice(0, at), command: argv.slice(at + 1) };
}

/** What starts tests, besides the commands of runners. */
const STARTERS = ['node', 'npx', 'npm', 'pnpm', 'yarn', 'tsx'];

/** Catches `unweave run node --test`: the newcomer's first try. */
export function rejectBareCommand(own: readonly string[], table: RunnerTable = RUNNERS): void {
  const [command, program] = own;
  const programs = [...STARTERS, ...Object.values(table).map((row) => row.command)];
  if (program === undefined || !programs.includes(program)) return;
  if (command === 'run' || command === 'explain' || command === 'monitor' || command === 'reschedule')
    throw new UsageError(`a test command goes after "--": unweave ${command} -- ${own.slice(1).join(' ')}`);
}

/** What to run as far as the command line says it; null: it does not. */
export function targetOf(paths: readonly string[], command: readonly string[] | null): Target | null {
  if (command !== null && paths.length > 0)
    throw new UsageError(`give a test command after "--" or harness files, not both (${paths[0]})`);
  if (command !== null) {
    if (command.length === 0) throw new UsageError('no test command after "--"');
    return { kind: 'command', argv: command };
  }
  return paths.length > 0 ? { kind: 'harness', paths } : null;
}

/** How often a bug is run on plain Node when the user gives no number. */
const WITNESS_RUNS = 10;

/** Gives `--witness` its number where none follows: what follows may be a file or the id of a bug. */
export function withNumbers(own: readonly string[]): string[] {
  return own.map((arg, i) =>
    arg === '--witness' && !/^-?\d/.test(own[i + 1] ?? '') ? `${arg}=${WITNESS_RUNS}` : arg,
  );
}
