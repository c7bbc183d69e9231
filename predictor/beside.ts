/**
 * What processes did at the same time that nobody judged: neither is their work steps of the program, nor does anything show that it
 * has nothing in common. Silence says nothing of it.
 */
import type { ChildRecord } from '../data/child-record.ts';
import type { Beside } from '../data/report.ts';
import type { Trace } from '../data/trace.ts';
import { meanwhileOf, type Touched } from './meanwhile.ts';

/** So many of them are told. */
const MOST = 5;

const UNSHARED = { shared: [], blind: false, within: false };

export function besideOf(trace: Trace): Beside[] {
  const children = trace.children ?? [];
  const meanwhile = meanwhileOf(trace);
  const found: Beside[] = [];
  for (const [i, one] of children.entries()) {
    for (const other of children.slice(i + 1)) {
      if (one.isJudged && other.isJudged) continue;
      const shared = sharedBy(one, other);
      if (!overlap(one, other) && (shared.length === 0 || !meanwhile.areBeside(one, other))) continue;
      // Whether one waits for those that it has started itself is not known, as with the test.
      const isKnown = (one.isSeen && other.isSeen) || isStartedBy(other, one, children);
      if (!isKnown || shared.length > 0)
        found.push({ ...UNSHARED, processes: [one.name, other.name], shared, blind: shared.length > 0 });
    }
    const shared = one.isJudged ? [] : inCommon(meanwhile.touched(one), one.touched);
    if (shared.length > 0 || meanwhile.isAskedMeanwhile(one))
      found.push({ ...UNSHARED, processes: [one.name, 'the test'], shared });
  }
  const programs = [...children.flatMap(({ program }) => program ?? []), ...spokenTo(trace)];
  found.push(...programs.map((program) => ({ ...UNSHARED, processes: [program], within: true })));
  const once = new Map(found.map((each) => [JSON.stringify(each), each]));
  return [...once.values()].sort((a, b) => Number(b.blind) - Number(a.blind)).slice(0, MOST);
}

/** How that is called which brings news of processes that were there before the run. */
const OTHERS = /to another process$|opened before the run$/;

/** The sources of processes that were there before the run, where the test had to do with some process. */
const spokenTo = ({ around, ungated }: Trace): readonly string[] =>
  around && Object.keys(ungated).some((what) => OTHERS.test(what)) ? around.programs : [];

/**
 * Whether a child touched without asking what the test, or another child beside it, touched as well: that is judged where each child
 * asks from its beginning, alone or not.
 */
export function meetsUnasked(trace: Trace): boolean {
  const children = trace.children ?? [];
  const meanwhile = meanwhileOf(trace);
  return children.some(
    (one, i) =>
      one.isSeen &&
      (inCommon(meanwhile.touched(one), one.touched).length > 0 ||
        children
          .slice(i + 1)
          .some((other) => sharedBy(one, other).length > 0 && meanwhile.areBeside(one, other))),
  );
}

/** By it, or by one that it has started. */
function isStartedBy(child: ChildRecord, who: ChildRecord, all: readonly ChildRecord[]): boolean {
  if (child.startedBy === null) return false;
  const parent = all.find(({ name }) => name === child.startedBy);
  return parent === who || (parent !== undefined && isStartedBy(parent, who, all));
}

const overlap = (a: ChildRecord, b: ChildRecord): boolean => a.begin < b.end && b.begin < a.end;

/** What both touched, but for what both did in steps. */
const sharedBy = (a: ChildRecord, b: ChildRecord): string[] => [
  ...new Set([
    ...inCommon(a.touched, b.touched),
    ...inCommon(a.stepped, b.touched),
    ...inCommon(a.touched, b.stepped),
  ]),
];

/** Entities of both of which one writes; that both add names to a folder concerns nobody who does not list it. */
const inCommon = (a: Touched, b: Touched): string[] =>
  [...a].flatMap(([entity, writes]) => {
    const other = b.get(entity);
    if (other === undefined || !(writes || other)) return [];
    return writes && other && entity.endsWith(' (entries)') ? [] : [entity];
  });
