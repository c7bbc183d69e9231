/** The file of known bugs: they are shown as known and do not count for the exit code. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Report } from '../data/report.ts';
import { writeJson } from '../report/json.ts';
import { UsageError } from './errors.ts';

const baselineSchema = z.object({
  version: z.literal(1),
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

/** Ids of the known bugs of a baseline file. */
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
  return new Set(result.data.bugs.map((bug) => bug.id));
}

/** Writes every unconditional bug of a report as known; sorted, so that diffs are small. */
export async function writeBaseline(report: Report, file: string, cwd: string): Promise<ReadonlySet<string>> {
  const bugs = report.bugs
    .filter((bug) => bug.conditional === null)
    .map(({ id, test, entity, error }) => {
      const record = report.tests.find((item) => item.id === test);
      const title = record ? `${record.file} › ${record.name}` : test;
      return { id, test: title, entity, error: error.split('\n')[0] ?? '' };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  await writeJson({ version: 1, bugs }, file, { cwd });
  return new Set(bugs.map((bug) => bug.id));
}
