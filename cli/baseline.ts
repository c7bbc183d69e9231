/** The file of known bugs: they are shown as known and do not count for the exit code. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Report, ReportTest } from '../data/report.ts';
import { writeJson } from '../report/json.ts';
import { UsageError } from './errors.ts';

/** It fails under control, and passes on plain Node. */
export const isNotAnalysable = ({ baseline, plain }: ReportTest): boolean =>
  (baseline === 'red' || baseline === 'flaky') && plain?.outcome === 'pass';

const baselineSchema = z.object({
  version: z.literal(1),
  /** Ids of tests that fail under control and pass on plain Node: they do not make the exit code 3. */
  tests: z.array(z.string().min(1)).default([]),
  bugs: z.array(
    z.object({
      id: z.string().min(1),
      /** The rest is for the reader of a diff. */
      test: z.string().optional(),
      entity: z.string().nullable().optional(),
      error: z.string().optional(),
    }),
  ),
});

/** Ids of the known bugs and tests of a baseline file. */
export async function readBaseline(file: string, cwd: string): Promise<ReadonlySet<string>> {
  let text: string;
  try {
    text = await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'ENOENT'
        ? `${file}: no such baseline file; --write-baseline ${file} makes one`
        : `${file}: the baseline file cannot be read (${code})`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${file}: not a baseline file (not JSON)`);
  }
  const result = baselineSchema.safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new UsageError(`${file}: not a baseline file (${issue?.path.join('.')}: ${issue?.message})`);
  }
  return new Set([...result.data.bugs.map((bug) => bug.id), ...result.data.tests]);
}

/** Writes every unconditional bug, and every test that cannot be analysed, as known; sorted, so that diffs are small. */
export async function writeBaseline(report: Report, file: string, cwd: string): Promise<ReadonlySet<string>> {
  const bugs = report.bugs
    .filter((bug) => bug.conditional === null)
    .map(({ id, test, entity, error }) => {
      const record = report.tests.find((item) => item.id === test);
      const title = record ? `${record.file} › ${record.name}` : test;
      return { id, test: title, entity, error: error.split('\n')[0] ?? '' };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const tests = report.tests
    .filter(isNotAnalysable)
    .map(({ id }) => id)
    .sort();
  await writeJson({ version: 1, ...(tests.length > 0 ? { tests } : {}), bugs }, file, { cwd });
  return new Set([...bugs.map((bug) => bug.id), ...tests]);
}
