/** A folder of scripts: each passes when it ends with exit code 0. */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { temporary } from '../temporary.ts';
import { groupOf, type Plain, type Row } from './row.ts';
import { type Ran, run } from './run.ts';
import { lastWord, underUs } from './unweave.ts';

const SCRIPT = /\.[cm]?js$/;

/** The scripts among `paths`; of folders those that lie directly in them. */
export async function scriptsIn(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths.map((each) => resolve(each))) {
    if (!(await stat(path)).isDirectory()) files.push(path);
    else for (const name of (await readdir(path)).sort()) if (SCRIPT.test(name)) files.push(join(path, name));
  }
  return files;
}

/** Options and environment that a script asks for in comments, as Node's own tests do. */
async function asked(file: string): Promise<{ flags: string[]; env: Record<string, string> }> {
  const source = await readFile(file, 'utf8');
  const lines = (what: string) =>
    [...source.matchAll(new RegExp(`^// ${what}:(.*)$`, 'gm'))].flatMap(([, rest]) =>
      rest!.trim().split(/\s+/),
    );
  const env = lines('Env').map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  return { flags: lines('Flags'), env: Object.fromEntries(env) };
}

/** `place` tells processes at work at the same time apart. */
export async function tryScript(
  file: string,
  place: number,
  options: readonly string[],
  limitMs: number,
): Promise<Row> {
  // What lies outside of the working directory is nobody's own.
  const inside = !relative(process.cwd(), file).startsWith('..');
  const cwd = inside ? process.cwd() : dirname(file);
  const folder = temporary('neutral-script');
  const { flags, env } = await asked(file);
  // Where Node's own tests put their files.
  const own = { ...env, NODE_TEST_DIR: folder, TEST_THREAD_ID: String(place), NODE_SKIP_FLAG_CHECK: '1' };
  const command = [process.execPath, ...flags, relative(cwd, file)];
  const row = { group: groupOf(basename(file)), name: basename(file) };
  try {
    const first = await run(command, cwd, own, limitMs);
    const plain = plainly(first);
    const none = { ...row, plain, took: { plain: first.ms, here: 0 } };
    if (plain !== 'passed') return { ...none, here: 'not run', cause: '' };
    const { ran, tests } = await underUs(command, options, cwd, own, limitMs);
    const took = { plain: first.ms, here: ran.ms };
    if (ran.timedOut) return { ...none, took, here: 'unknown', cause: `no end within ${limitMs / 1000} s` };
    const worst = tests.find(({ here }) => here === 'finding') ?? tests.find(({ here }) => here !== 'passed');
    if (worst) return { ...none, took, here: worst.here, cause: worst.cause };
    if (tests.length === 0) return { ...none, took, here: 'unknown', cause: lastWord(ran.out) };
    return { ...none, took, here: 'passed', cause: '' };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function plainly({ code, timedOut }: Ran): Plain {
  if (timedOut) return 'timed out';
  return code === 0 ? 'passed' : 'failed';
}
