/** The results of those who shared a plan as one report, the same as that of one run. */
import { countingLists } from '../../data/fail-on.ts';
import type { AnalysisPlan, PartialResult } from '../../data/plan.ts';
import type { Report } from '../../data/report.ts';
import { byWeight } from '../../report/likelihood.ts';
import type { BugView, ReportViews, TestNotes } from '../../report/view.ts';
import { exitCodeOf } from '../exit-code.ts';
import type { RunOptions } from '../options.ts';
import type { PipelineResult } from '../pipeline-api.ts';

/** `planned`: what the store said before; `missing`: why not all of it is there, null: it is. */
export function mergedResult(
  planned: Report,
  plan: AnalysisPlan,
  results: readonly PartialResult[],
  missing: string | null,
  { failOn }: RunOptions,
): PipelineResult {
  const reports = results.map(({ report }) => report);
  const known = new Map(reports.flatMap(({ tests }) => tests.map((test) => [test.id, test])));
  const place = new Map(planned.tests.map(({ id }, at) => [id, at]));
  const placeOf = (id: string): number => place.get(id) ?? planned.tests.length;
  const report: Report = {
    version: planned.version,
    tests: planned.tests.map((test) => known.get(test.id) ?? test),
    bugs: reports
      .flatMap(({ bugs }) => bugs)
      .toSorted((a, b) => placeOf(a.test) - placeOf(b.test))
      .toSorted(byWeight),
    timing: {
      ...planned.timing,
      rescheduleMs: reports.reduce((sum, { timing }) => sum + timing.rescheduleMs, 0),
    },
  };
  const shown = results.map(({ views }) => views as unknown as ReportViews);
  const viewOf = new Map(
    shown.flatMap(({ bugs }) => bugs).map((view): [string, BugView] => [view.bug.id, view]),
  );
  const ended = [...new Set([...shown.flatMap((views) => views.ended ?? []), ...(missing ? [missing] : [])])];
  const notes: Record<string, TestNotes> = Object.assign({}, ...shown.map(({ tests }) => tests));
  for (const { id } of report.tests)
    if (!known.has(id)) notes[id] = { reason: missing ?? '', ...(plan.notes[id] as TestNotes) };
  // What one of them looked into is not what all have.
  const { suite: _, ...common } = shown[0] ?? { bugs: [], tests: {} };
  return {
    report,
    views: {
      ...common,
      bugs: report.bugs.flatMap(({ id }) => viewOf.get(id) ?? []),
      tests: notes,
      ...(ended.length === 0 ? {} : { ended: ended.join('; ') }),
    },
    exitCode: exitCodeOf(report, { counting: countingLists(failOn), ended: ended.length > 0 }),
  };
}
