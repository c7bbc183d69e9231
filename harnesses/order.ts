/**
 * What a test that `unweave export` has written calls: the order of a bug, forced on the test that showed it. It
 * becomes CommonJS and needs nothing else, so that every runner can load it.
 */
import { execFile } from 'node:child_process';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `passed`: the test passes in this order. `impossible`: the program cannot come into this order any more. `left`: it
 * takes another way now, so that the order says nothing of it; a warning tells. `skipped`: Unweave itself runs this.
 */
export interface Forced {
  readonly outcome: 'passed' | 'impossible' | 'left' | 'skipped';
  /** Where the order was left, and what came instead; null: it was not. */
  readonly detail: string | null;
}

interface Told {
  readonly runs: readonly { readonly outcome: string; readonly detail: string | null }[];
}

const COMMAND = resolve(__dirname, '../cli/bin.js');
const OUTCOMES: Readonly<Record<string, Forced['outcome']>> = {
  passed: 'passed',
  infeasible: 'impossible',
  diverged: 'left',
};
/** What a runner tells its own processes: the test is run by another one. */
const OF_RUNNERS = /^(?:NODE_TEST_|VITEST|JEST_|MOCHA_)|^NODE_V8_COVERAGE$/;

/**
 * Runs the test that `order` is about once more, in a process of its own, and forces the order on it. Rejects where the test
 * fails in it, and where nobody can tell.
 *
 * @example
 * test('stays fixed', () => force(new URL('./bank-b7f3a1.order.json', import.meta.url)));
 */
export async function force(order: string | URL): Promise<Forced> {
  const file = typeof order === 'string' ? resolve(order) : fileURLToPath(order);
  // Its processes are not those of the test that is looked at.
  if (Symbol.for('unweave.runtime') in globalThis) return { outcome: 'skipped', detail: null };
  const { out, err } = await replay(file);
  const [run] = parsed(out)?.runs ?? [];
  if (!run) throw new Error(`${basename(file)}: ${err.trim() || 'unweave did not answer'}`);
  const { outcome, detail } = run;
  const told = OUTCOMES[outcome];
  if (told === 'left')
    process.emitWarning(`${basename(file)}: the order no longer applies: ${detail}; export it anew`);
  if (told) return { outcome: told, detail };
  const what = outcome === 'unknown' ? 'cannot tell' : 'the test fails in this order';
  throw new Error(`${basename(file)}: ${what}: ${detail}\nunweave replay ${file}`);
}

function replay(file: string): Promise<{ out: string; err: string }> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_RUNNERS.test(name)));
  const args = [COMMAND, 'replay', file, '--json', '-'];
  const options = { cwd: dirname(file), env, maxBuffer: 2 ** 26 };
  return new Promise((done) => {
    execFile(process.execPath, args, options, (_, out, err) => done({ out, err }));
  });
}

function parsed(text: string): Told | null {
  try {
    return JSON.parse(text) as Told;
  } catch {
    return null;
  }
}
