/** A finding in words and places, for reports that draw no orders. */
import type { ReportAccess, ReportBug, ReportTest } from '../data/report.ts';
import { adviceOf } from './bug.ts';
import type { Hidden, HiddenReason } from './hidden.ts';
import { MARKS } from './ink.ts';
import { byWeight } from './likelihood.ts';
import { type FindingList, listOf } from './lists.ts';
import { findMoves } from './moves.ts';
import type { Findings } from './reporter-api.ts';
import { describeShape } from './shape.ts';
import type { SourceReader } from './sources.ts';
import type { BugView, Place, Role } from './view.ts';

export interface MarkedPlace extends Place {
  /** `①`. */
  readonly mark: string;
  readonly role: Role;
  readonly access: ReportAccess;
}

export interface ToldFinding {
  readonly bug: ReportBug;
  /** What the report shows beyond the record; null where an earlier version stored less. */
  readonly view: BugView | null;
  readonly list: FindingList;
  /** Why it does not count although it is of a list that does; null: it is not hidden. */
  readonly hidden: HiddenReason | null;
  /** Whether it makes the exit code 1. */
  readonly counts: boolean;
  readonly test: ReportTest | null;
  /** `test/a.test.ts › outer > inner`. */
  readonly testTitle: string;
  /** `lost update`. */
  readonly name: string;
  readonly sentence: string;
  readonly advice: string;
  /** The accesses that tell it, in the order of their marks. */
  readonly accesses: readonly MarkedPlace[];
  /** Where a reader should look first; null: only the file of the test is known. */
  readonly place: Place | null;
}

/** Which of an order bug's two accesses is which is not known by role: they are ① and ②. */
function marked({ first, remote, second }: ReportBug): MarkedPlace[] {
  const roles: readonly (readonly [Role, ReportAccess | null])[] = [
    ['first', first],
    ['remote', remote],
    ['second', second],
  ];
  const known = roles.flatMap(([role, access]) => (access ? [{ role, access }] : []));
  return known.map(({ role, access }, at) => {
    const { file, line, column } = access;
    return { mark: Object.values(MARKS)[at]!, role, access, file, line, column };
  });
}

/** What moved first, or what is shown of the order at all. */
function placeOfOrder({ natural, failing }: BugView): Place | null {
  const [move] = findMoves(natural, failing);
  return move?.step.site ?? move?.anchor.site ?? failing.find(({ site }) => site)?.site ?? null;
}

const inOneLine = (text: string): string => text.split('\n').find((line) => line.trim() !== '') ?? text;

/** All findings, the weightiest first; `failOn`: lists that count beside races. */
export function toldFindings(
  { report, views, hidden }: Pick<Findings, 'report' | 'views'> & { readonly hidden: Hidden },
  failOn: readonly string[],
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
    const accesses = marked(bug);
    return {
      bug,
      view,
      list,
      hidden: why,
      counts: why === null && (list === 'race' || failOn.includes(list)),
      test,
      testTitle: test ? `${test.file} › ${test.name}` : (view?.testTitle ?? bug.test),
      name: shape.name,
      sentence: shape.sentence,
      advice: view ? adviceOf(view, shape.hint) : '',
      accesses,
      place: accesses.find(({ role }) => role === 'second') ?? accesses[0] ?? (view && placeOfOrder(view)),
    };
  });
}
