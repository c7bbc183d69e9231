/** Runs the command on the programs of a class, and judges what it says by the table of {@link EXPECTED}. */
import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseReport, type Report, type ReportBug } from '../../data/report.ts';
import { temporary } from '../temporary.ts';
import { type Cause, EXPECTED } from './expected.ts';

export const ROOT = fileURLToPath(new URL('../projects/recall/', import.meta.url));
const BIN = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));

/** What was said of one program. */
export interface Judged {
  readonly program: string;
  /** The forced run that failed first; null: none did, or it was told as timing-dependent only. */
  readonly at: number | null;
  /** What was named, of the finding that is told first. */
  readonly told: string;
  readonly isRight: boolean;
  /** Findings, of whatever kind, of the repaired program. */
  readonly false: readonly string[];
}

function tells({ entity, other, waits }: ReportBug, cause: Cause): boolean {
  if ('waits' in cause) return waits.some((line) => cause.waits.test(line));
  return cause.entity.test(entity ?? '') || cause.entity.test(other?.entity ?? '');
}

const inWords = ({ entity, error, waits }: ReportBug): string => entity ?? waits.at(-1) ?? error;

function judge(program: string, file: string, cause: Cause, { tests, bugs }: Report): Judged {
  const of = (name: string): ReportBug[] => {
    const ids = new Set(tests.filter((each) => each.file === file && each.name === name).map(({ id }) => id));
    return bugs.filter(({ test }) => ids.has(test));
  };
  const found = of('racy').filter((bug) => bug.class === 'race');
  const [first] = found;
  return {
    ...{ program, at: first ? Math.min(...found.map((bug) => bug.schedulesUntilFound)) : null },
    ...{ told: first ? inWords(first) : '', isRight: first !== undefined && tells(first, cause) },
    false: of('repaired').map((bug) => `${bug.class} ${inWords(bug)}`),
  };
}

/** Those of a class, or these of it; `options` of the command besides. */
export async function recall(
  kind: string,
  programs: readonly string[] = Object.keys(EXPECTED[kind] ?? {}),
  options: readonly string[] = [],
): Promise<Judged[]> {
  const dir = temporary('recall');
  try {
    const json = join(dir, 'report.json');
    const files = programs.map((name) => `${kind}/${name}.test.js`);
    const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
    const told = ['--confirm', '2', '--store', join(dir, 'trace.db'), '--json', json, ...options];
    await new Promise((over) =>
      execFile(
        process.execPath,
        [BIN, 'run', ...told, '--', 'node', '--test', ...files],
        { cwd: ROOT, env, maxBuffer: Number.POSITIVE_INFINITY },
        over,
      ),
    );
    const report = parseReport(readFileSync(json, 'utf8'), json);
    return programs.map((name, i) => judge(name, files[i]!, EXPECTED[kind]![name]!, report));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
