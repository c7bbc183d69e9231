/** A suite of `node:test`, by its command: each test counts. */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { temporary } from '../temporary.ts';
import type { Plain, Row } from './row.ts';
import { run } from './run.ts';
import { lastWord, underUs } from './unweave.ts';

const REPORTER = new URL('./reporter.mjs', import.meta.url).href;

interface Told {
  readonly file: string;
  readonly path: string[];
  readonly passed: boolean;
  readonly ms: number;
}

export async function trySuite(
  command: readonly string[],
  options: readonly string[],
  limitMs: number,
): Promise<Row[]> {
  const cwd = process.cwd();
  const tests = await plainly(command, cwd, limitMs);
  const { ran, tests: ours } = await underUs(command, options, cwd, {}, limitMs);
  const here = new Map(ours.map((test) => [`${test.file}\n${test.name}`, test]));
  return tests.map(({ file, path, passed, ms }) => {
    const group = relative(cwd, file);
    const name = path.join(' > ');
    const judged = here.get(`${group}\n${name}`);
    const plain: Plain = passed ? 'passed' : 'failed';
    return {
      ...{ group, name: `${group} › ${name}`, plain },
      here: judged?.here ?? 'not run',
      cause: judged ? judged.cause : lastWord(ran.out),
      took: { plain: ms, here: 0 },
    };
  });
}

async function plainly(command: readonly string[], cwd: string, limitMs: number): Promise<Told[]> {
  const out = join(temporary('neutral'), 'told.jsonl');
  const reporter = `--test-reporter=${REPORTER} --test-reporter-destination=${out}`;
  const options = [process.env['NODE_OPTIONS'], reporter].filter(Boolean).join(' ');
  await run(command, cwd, { NODE_OPTIONS: options }, limitMs);
  try {
    const lines = (await readFile(out, 'utf8')).trim().split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Told);
  } catch {
    return [];
  }
}
