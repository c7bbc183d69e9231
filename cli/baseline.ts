/** The file of known bugs: they are shown as known and do not count for the exit code, as long as their entry holds. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Report, ReportTest } from '../data/report.ts';
import { writeJson } from '../report/json.ts';
import { UsageError } from './errors.ts';

/** It fails under control, and passes on plain Node. */
const isNotAnalysable = ({ baseline, plain }: ReportTest): boolean =>
  (baseline === 'red' || baseline === 'flaky') && plain?.outcome === 'pass';

/** Those of a report of which the user knows that. */
export const excusedTests = ({ tests }: Report, known: ReadonlySet<string>): Set<string> =>
  new Set(tests.filter((test) => known.has(test.id) && isNotAnalysable(test)).map(({ id }) => id));

/** Written by people. */
const written = {
  owner: z.string().min(1).optional(),
  reason: z.string().min(1).optional(),
  /** The last day on which the entry holds. */
  expires: z.iso.date('expected a date such as 2027-01-31').optional(),
};

const baselineSchema = z.object({
  version: z.literal(1),
  /** Ids of tests that fail under control and pass on plain Node: they do not make the exit code 3. */
  tests: z
    .array(z.union([z.string().min(1), z.looseObject({ id: z.string().min(1), ...written })]))
    .default([]),
  bugs: z.array(
    z.looseObject({
      id: z.string().min(1),
      ...written,
      /** The rest is for the reader of a diff. */
      test: z.string().optional(),
      entity: z.string().nullable().optional(),
      error: z.string().optional(),
    }),
  ),
});

type BaselineEntries = z.output<typeof baselineSchema>;
type TestEntry = Exclude<BaselineEntries['tests'][number], string>;
type BugEntry = BaselineEntries['bugs'][number];
type BaselineEntry = TestEntry | BugEntry;

export interface LoadedBaseline {
  /** Ids of the known bugs and tests whose entry holds. */
  readonly known: ReadonlySet<string>;
  /** Entries that held until some day. */
  readonly expired: readonly BaselineEntry[];
  readonly entries: BaselineEntries;
}

export const NO_BASELINE: LoadedBaseline = {
  known: new Set(),
  expired: [],
  entries: { version: 1, tests: [], bugs: [] },
};

const asEntry = (test: BaselineEntries['tests'][number]): TestEntry =>
  typeof test === 'string' ? { id: test } : test;

const today = (): string => new Date().toISOString().slice(0, 10);

/** A baseline file. `day`: what holds on it. */
export async function readBaseline(file: string, cwd: string, day = today()): Promise<LoadedBaseline> {
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
  return baselineOf(result.data, day);
}

function baselineOf(entries: BaselineEntries, day: string): LoadedBaseline {
  const all: BaselineEntry[] = [...entries.bugs, ...entries.tests.map(asEntry)];
  const expired = all.filter(({ expires }) => expires !== undefined && expires < day);
  const known = new Set(all.filter((entry) => !expired.includes(entry)).map(({ id }) => id));
  return { known, expired, entries };
}

/** A line for each expired entry that hides something no longer. */
export function expiredLines({ expired }: LoadedBaseline, report: Report): string[] {
  const found = new Set([
    ...report.bugs.map(({ id }) => id),
    ...report.tests.filter(isNotAnalysable).map(({ id }) => id),
  ]);
  return expired
    .filter(({ id }) => found.has(id))
    .map(({ id, owner, reason, expires }) => {
      const about = [owner && `owner: ${owner}`, reason].filter(Boolean).join('; ');
      return `${id} is in the baseline until ${expires} and counts again${about === '' ? '' : ` (${about})`}`;
    });
}

const titleOf = ({ file, name }: ReportTest): string => `${file} › ${name}`;

/**
 * Writes every unconditional bug, and every test that cannot be analysed, as known; sorted, so that diffs are small. What
 * people wrote into entries of the file, or of the baseline in use, stays.
 */
export async function writeBaseline(
  report: Report,
  file: string,
  cwd: string,
  inUse: LoadedBaseline = NO_BASELINE,
): Promise<LoadedBaseline> {
  const before = existsSync(resolve(cwd, file)) ? await readBaseline(file, cwd).catch(() => inUse) : inUse;
  const old = new Map<string, BaselineEntry>();
  for (const { entries } of [inUse, before])
    for (const entry of [...entries.bugs, ...entries.tests.map(asEntry)]) old.set(entry.id, entry);
  const bugs = report.bugs
    .filter((bug) => bug.conditional === null)
    .map(({ id, test, entity, error }): BugEntry => {
      const record = report.tests.find((item) => item.id === test);
      const title = record ? titleOf(record) : test;
      return { ...old.get(id), id, test: title, entity, error: error.split('\n')[0] ?? '' };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const tests = report.tests
    .filter(isNotAnalysable)
    .map(({ id }) => id)
    .sort()
    .map((id) => old.get(id) ?? id)
    .map((entry) => (typeof entry !== 'string' && Object.keys(entry).length === 1 ? entry.id : entry));
  const entries = { version: 1 as const, ...(tests.length > 0 ? { tests } : {}), bugs };
  await writeJson(entries, file, { cwd });
  return baselineOf(baselineSchema.parse(entries), today());
}

export interface Pruned {
  readonly removed: readonly string[];
  /** Found no more, and this run cannot tell why. */
  readonly undecided: readonly string[];
}

/**
 * Takes out what is found no more. Only a test that was analysed to its end speaks against an entry, or one whose file is gone:
 * what a budget, a filter or a failure kept from being looked at stays.
 */
export async function pruneBaseline(
  { entries }: LoadedBaseline,
  report: Report,
  file: string,
  cwd: string,
): Promise<Pruned> {
  const removed: string[] = [];
  const undecided: string[] = [];
  const found = new Set(report.bugs.map(({ id }) => id));
  const stays = (id: string, isThere: boolean, isGone: boolean): boolean => {
    if (isThere) return true;
    (isGone ? removed : undecided).push(id);
    return !isGone;
  };
  const bugs = entries.bugs.filter(({ id, test: title }) => {
    const test = report.tests.find((item) => titleOf(item) === title);
    const gone = title !== undefined && !existsSync(resolve(cwd, title.split(' › ')[0]!));
    return stays(id, found.has(id), test ? wasJudged(test) : gone);
  });
  const tests = entries.tests.filter((entry) => {
    const { id } = asEntry(entry);
    const test = report.tests.find((item) => item.id === id);
    return stays(id, test !== undefined && isNotAnalysable(test), test?.baseline === 'passed');
  });
  if (removed.length > 0)
    await writeJson({ ...entries, ...(tests.length > 0 ? { tests } : { tests: undefined }), bugs }, file, {
      cwd,
    });
  return { removed, undecided };
}

/** Everything that is to be tried in it was, and could be judged. */
const wasJudged = ({ analysis, baseline, coverage, endless, verdicts }: ReportTest): boolean =>
  baseline === 'passed' &&
  analysis === 'complete' &&
  coverage !== 'blind' &&
  endless === 0 &&
  verdicts.unknown === 0;
