/** Bugs that are shown in one line each and do not count: the user knows them. */
import type { Report, ReportBug } from '../data/report.ts';
import { code } from './entity.ts';
import { heading, ink } from './ink.ts';
import { hang } from './layout.ts';
import type { Style } from './style.ts';

/** `known`: listed in the baseline file. `ignored`: by a comment at an access, or by the configuration. */
export type HiddenReason = 'known' | 'ignored';

/** By bug id. */
export type Hidden = ReadonlyMap<string, HiddenReason>;
export const NOTHING_HIDDEN: Hidden = new Map();

/** Bugs for the headline: races that are neither conditional nor hidden. */
export function headlineBugs(report: Report, hidden: Hidden = NOTHING_HIDDEN): ReportBug[] {
  return ofClass(report, 'race', hidden);
}

/** Bugs of a class that are neither conditional nor hidden. */
export function ofClass(report: Report, of: ReportBug['class'], hidden: Hidden): ReportBug[] {
  return report.bugs.filter((bug) => bug.class === of && bug.conditional === null && !hidden.has(bug.id));
}

/** One line per hidden bug. */
export function renderHidden(report: Report, hidden: Hidden, style: Style): string[] {
  const lines = report.bugs.flatMap((bug) => {
    const reason = hidden.get(bug.id);
    if (!reason) return [];
    const test = report.tests.find(({ id }) => id === bug.test);
    const where = test ? ` in ${test.file} › ${test.name}` : '';
    const what = `${bug.pattern ?? bug.kind}${bug.entity ? ` on ${code(bug.entity)}` : ''}`;
    return hang(`  ${reason} `, `${bug.id}: ${what}${where}`, style.width).map((line) => ink(line, style));
  });
  return lines.length === 0 ? [] : [heading('Known bugs, not counted', style), ...lines, ''];
}
