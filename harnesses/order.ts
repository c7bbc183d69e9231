/**
 * What a test that `unweave export` has written calls: the order of a bug, forced on the test that showed it. It
 * becomes CommonJS and needs nothing else, so that every runner can load it.
 */
import { AssertionError } from 'node:assert';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RUNNERS } from '../data/runners.ts';

/**
 * `passed`: the test passes in this order. `impossible`: the program cannot come into this order any more. `left`: it
 * takes another way now, so that the order says nothing of it; a warning tells. `skipped`: Unweave itself runs this.
 */
export interface Forced {
  readonly outcome: 'passed' | 'impossible' | 'left' | 'skipped';
  /** Where the order was left, and what came instead; null: it was not. */
  readonly detail: string | null;
}

/** What came of calls that overlap, in words that leave out what is the same in all serial orders. */
export interface OverlapOutcome {
  readonly outcome: string;
  /** What may come of them: by the calls of each serial order what it gives, executed on the program as it is now. */
  readonly serial: Readonly<Record<string, string>>;
}

interface ReplayedRun {
  readonly outcome: string;
  readonly detail: string | null;
  readonly told?: OverlapOutcome;
}

interface ReplayedRuns {
  readonly runs: readonly ReplayedRun[];
}

const COMMAND = resolve(__dirname, '../cli/bin.js');
const OUTCOMES: Readonly<Record<string, Forced['outcome']>> = {
  passed: 'passed',
  infeasible: 'impossible',
  diverged: 'left',
};
/** What a runner tells its own processes: the test is run by another one. */
const OF_RUNNERS = [...Object.values(RUNNERS).flatMap(({ variables }) => variables), 'NODE_V8_COVERAGE'];

/**
 * Runs the test that `order` is about once more, in a process of its own, and forces the order on it. Rejects where the test
 * fails in it, and where nobody can tell.
 *
 * @example
 * test('stays fixed', () => force(new URL('./bank-b7f3a1.order.json', import.meta.url)));
 */
export async function force(order: string | URL): Promise<Forced> {
  const file = fileOf(order);
  if (isLookedAt()) return { outcome: 'skipped', detail: null };
  return forcedBy(await runOf(file), file);
}

/**
 * Makes the calls of a scenario in the order that is in the file, in a process of its own. Rejects where nothing came of them,
 * and where the order is one of other calls.
 *
 * @param calls those that overlap, in the order in which they begin
 * @example
 * const { outcome, serial } = await overlap(order, ['touch("s1")', 'login("s1", "cas")']);
 * assertOneOf(outcome, serial);
 */
export async function overlap(order: string | URL, calls: readonly string[]): Promise<OverlapOutcome> {
  const file = fileOf(order);
  const { source } = JSON.parse(readFileSync(file, 'utf8')) as { source: { calls?: readonly string[] } };
  if (JSON.stringify(source.calls) !== JSON.stringify(calls))
    throw new Error(`${basename(file)}: an order of other calls: ${source.calls?.join(', ')}`);
  if (isLookedAt()) return { outcome: 'skipped', serial: { skipped: 'skipped' } };
  const run = await runOf(file);
  if (run.told) return run.told;
  forcedBy(run, file);
  throw new Error(`${basename(file)}: nothing came of the calls: ${run.detail}`);
}

/** Throws where no serial order gives the outcome, and tells what they give. */
export function assertOneOf(outcome: string, serial: Readonly<Record<string, string>>): void {
  if (Object.values(serial).includes(outcome)) return;
  const width = Math.max(...Object.keys(serial).map(({ length }) => length), 0);
  const rows = Object.entries({ 'this run': outcome, ...serial }).map(
    ([calls, given]) => `  ${calls.padEnd(width)}  ${given}`,
  );
  throw new AssertionError({
    message: ['no serial order of these calls gives this outcome', ...rows].join('\n'),
    actual: outcome,
    expected: Object.values(serial),
    operator: 'assertOneOf',
  });
}

const fileOf = (order: string | URL): string =>
  typeof order === 'string' ? resolve(order) : fileURLToPath(order);

/** Its processes are not those of the test that is looked at. */
const isLookedAt = (): boolean => Symbol.for('unweave.runtime') in globalThis;

async function runOf(file: string): Promise<ReplayedRun> {
  const { out, err } = await replay(file);
  const [run] = parsed(out)?.runs ?? [];
  if (!run) throw new Error(`${basename(file)}: ${err.trim() || 'unweave did not answer'}`);
  return run;
}

/** @throws Error where the test fails, or nobody can tell. */
function forcedBy({ outcome, detail }: ReplayedRun, file: string): Forced {
  const told = OUTCOMES[outcome];
  if (told === 'left')
    process.emitWarning(`${basename(file)}: the order no longer applies: ${detail}; export it anew`);
  if (told) return { outcome: told, detail };
  const what = outcome === 'unknown' ? 'cannot tell' : 'the test fails in this order';
  throw new Error(`${basename(file)}: ${what}: ${detail}\nunweave replay ${file}`);
}

function replay(file: string): Promise<{ out: string; err: string }> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !OF_RUNNERS.some((start) => name.startsWith(start))),
  );
  const args = [COMMAND, 'replay', file, '--json', '-'];
  const options = { cwd: dirname(file), env, maxBuffer: 2 ** 26 };
  return new Promise((done) => {
    execFile(process.execPath, args, options, (_, out, err) => done({ out, err }));
  });
}

function parsed(text: string): ReplayedRuns | null {
  try {
    return JSON.parse(text) as ReplayedRuns;
  } catch {
    return null;
  }
}
