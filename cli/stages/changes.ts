/** What `--changed` keeps of earlier runs, what concerns which test, and how that is told. */
import type { Report, ReportBug } from '../../data/report.ts';

/** Names of files, or of what else a run depends on, with what they were. */
export type Texts = Readonly<Record<string, string>>;

/** Prose and recipes of CI: no test depends on them. */
const BESIDE = /(?:\.md$|^(?:\.\.\/)*\.github\/)/;

/** What became of the tests that the store knew. */
export interface Changes {
  /** Tests whose earlier analysis holds. */
  readonly kept: number;
  /** Bugs of tests that are analysed anew. */
  readonly bugs: readonly ReportBug[];
  /** Tests that have nothing to do with what changed since the commit that was named: they are not forced now. */
  readonly outside: ReadonlySet<string>;
  /** Why nothing is kept; null: something may be. */
  readonly why: string | null;
}

/** Which files differ; null: nobody knows. */
export function differing(before: Texts | null, now: Texts): string[] | null {
  if (before === null) return null;
  const all = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...all].filter((name) => before[name] !== now[name]);
}

/** Decides which changed files concern which tests. */
export class Concern {
  private readonly changed: readonly string[];
  private readonly isUnclaimed: boolean;

  /** `claimed`: all files that tests are known to load. A change of any other one may concern every test. */
  constructor(changed: readonly string[], claimed: ReadonlySet<string>) {
    this.changed = changed.filter((name) => !BESIDE.test(name));
    this.isUnclaimed = this.changed.some((name) => !claimed.has(name));
  }

  /** @param loads the files that the test loads; null: it may load others. */
  touches(loads: ReadonlySet<string> | null): boolean {
    if (this.changed.length === 0) return false;
    return loads === null || this.isUnclaimed || this.changed.some((name) => loads.has(name));
  }
}

/** What there is to say of it, a line each. */
export function changeLines(
  { kept, bugs, outside, why }: Changes,
  report: Pick<Report, 'bugs' | 'tests'>,
): string[] {
  const lines: string[] = [];
  if (why !== null) lines.push(`everything is analysed anew: ${why}`);
  if (kept > 0)
    lines.push(
      `kept from earlier runs, as nothing they depend on has changed: ${kept} of ${report.tests.length}`,
    );
  const left = report.tests.filter(({ id, analysis }) => outside.has(id) && analysis === 'none').length;
  if (left > 0)
    lines.push(
      `recorded and not forced, as nothing they load has changed: ${left} of ${report.tests.length}`,
    );
  for (const { id, test } of bugs) {
    const record = report.tests.find((each) => each.id === test);
    const where = record ? ` (${record.file} › ${record.name})` : '';
    const isThere = report.bugs.some((bug) => bug.id === id);
    const isFixed = record?.analysis === 'complete';
    const fate = isThere
      ? 'still there'
      : isFixed
        ? 'fixed'
        : record
          ? 'not decided: its test was not analysed to the end'
          : 'gone with its test';
    lines.push(`known bug ${id}${where}: ${fate}`);
  }
  return lines;
}
