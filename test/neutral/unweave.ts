/** Runs a command under the built tool and reads from its store how each test fared. */
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseReport } from '../../data/report.ts';
import { openStore } from '../../data/store/index.ts';
import { temporary } from '../temporary.ts';
import type { Here } from './row.ts';
import { type Ran, run } from './run.ts';

const BIN = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));

export interface Judged {
  readonly file: string;
  readonly name: string;
  readonly here: Here;
  readonly cause: string;
}

export interface UnderUs {
  readonly ran: Ran;
  readonly tests: readonly Judged[];
}

/** `options` are those of `unweave run`. */
export async function underUs(
  command: readonly string[],
  options: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  limitMs: number,
): Promise<UnderUs> {
  const folder = temporary('neutral');
  const store = join(folder, 'trace.db');
  const json = join(folder, 'report.json');
  try {
    const ours = [process.execPath, BIN, 'run', '--no-color', '--store', store, '--json', json, ...options];
    const ran = await run([...ours, '--', ...command], cwd, env, limitMs);
    return { ran, tests: existsSync(json) ? await judged(json, store) : [] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function judged(json: string, file: string): Promise<Judged[]> {
  const { tests, bugs } = parseReport(await readFile(json, 'utf8'), json);
  using store = openStore(file, { readonly: true });
  const notes = new Map(store.tests().map(({ id, note }) => [id, note ?? '']));
  return tests.map(({ id, file, name, baseline }) => {
    const found = bugs.filter(({ test, conditional }) => test === id && conditional === null);
    if (found.length > 0)
      return { file, name, here: 'finding', cause: found.map(({ error }) => error).join('; ') };
    if (baseline === 'passed') return { file, name, here: 'passed', cause: '' };
    const here = baseline === null ? 'unknown' : 'red';
    return { file, name, here, cause: short(notes.get(id)) || 'ended before it was judged' };
  });
}

/** A cause may quote whole outputs. */
const MOST = 300;

const short = (cause = ''): string => (cause.length > MOST ? `${cause.slice(0, MOST)}…` : cause);

/** The last line of an output that says something. */
export function lastWord(out: string): string {
  return out.trim().split('\n').at(-1)?.trim() ?? '';
}
