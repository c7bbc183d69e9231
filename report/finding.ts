/** A finding in words and places, for reports that draw no orders. */
import type { FailList } from '../data/fail-on.ts';
import type { ReportBug, ReportTest } from '../data/report.ts';
import { type Advice, adviceOf } from './advice.ts';
import type { Hidden, HiddenReason } from './hidden.ts';
import { byWeight } from './likelihood.ts';
import { type FindingList, listOf } from './lists.ts';
import { accessesOf, type MarkedPlace, stepsOf, type ToldStep } from './places.ts';
import type { Findings } from './reporter-api.ts';
import { describeShape } from './shape.ts';
import type { SourceReader } from './sources.ts';
import type { BugView, Place } from './view.ts';

export interface ToldFinding {
  readonly bug: ReportBug;
  /** What the report shows beyond the record; null where an earlier version stored less. */
  readonly view: BugView | null;
  readonly list: FindingList;
  /** Why it does not count although it is of a list that does; null: it is not hidden. */
  readonly hidden: HiddenReason | null;
  /** Whether it makes the exit code 1: it is of a list that counts, and not hidden. */
  readonly counts: boolean;
  readonly test: ReportTest | null;
  /** `test/a.test.ts › outer > inner`. */
  readonly testTitle: string;
  /** `lost update`. */
  readonly name: string;
  readonly sentence: string;
  /** null: an earlier version stored too little to say. */
  readonly advice: Advice | null;
  /** The accesses that tell it, in the order of their marks. */
  readonly accesses: readonly MarkedPlace[];
  /** Where no access tells it: the two steps whose order matters, as far as their places are known. */
  readonly steps: readonly ToldStep[];
  /** Where a reader should look first; null: only the file of the test is known. */
  readonly place: Place | null;
}

const inOneLine = (text: string): string => text.split('\n').find((line) => line.trim() !== '') ?? text;

/** All findings, the weightiest first; `counting`: the lists that count. */
export function toldFindings(
  { report, views, hidden }: Pick<Findings, 'report' | 'views'> & { readonly hidden: Hidden },
  counting: ReadonlySet<FailList>,
  read: SourceReader,
): ToldFinding[] {
  const byId = new Map(views.bugs.map((view) => [view.bug.id, view]));
  const tests = new Map(report.tests.map((test) => [test.id, test]));
  return report.bugs.toSorted(byWeight).map((bug): ToldFinding => {
    const view = byId.get(bug.id) ?? null;
    const shape = view
      ? describeShape(view, read)
      : { name: bug.kind, sentence: inOneLine(bug.error), hint: '' };
    const test = tests.get(bug.test) ?? null;
    const list = listOf(bug);
    const why = hidden.get(bug.id) ?? null;
    const accesses = accessesOf(bug);
    const steps = view && accesses.length === 0 ? stepsOf(view) : [];
    return {
      bug,
      view,
      list,
      hidden: why,
      counts: why === null && counting.has(list),
      test,
      testTitle: test ? `${test.file} › ${test.name}` : (view?.testTitle ?? bug.test),
      name: shape.name,
      sentence: shape.sentence,
      advice: view && shape.hint !== '' ? adviceOf(view, shape.hint) : null,
      accesses,
      steps,
      place:
        accesses.find(({ role }) => role === 'second') ??
        accesses[0] ??
        steps[0] ??
        // What is shown of the order at all.
        view?.failing.find(({ site }) => site)?.site ??
        null,
    };
  });
}
