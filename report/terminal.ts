/** The report for people: every bug in full, then the summary. */

import type { Report } from '../data/report.ts';
import { toldBefore } from './alike.ts';
import { type RenderContext, renderBug } from './bug.ts';
import { type Hidden, NOTHING_HIDDEN } from './hidden.ts';
import { heading } from './ink.ts';
import { byWeight } from './likelihood.ts';
import { type FindingList, LIST_TITLES, LISTS, listOf, remarkOn } from './lists.ts';
import { renderSummary } from './summary.ts';
import type { ReportViews } from './view.ts';

/** Renders a whole report as text that ends with a newline. Hidden bugs are only counted. */
export function renderReport(
  report: Report,
  views: ReportViews,
  context: RenderContext,
  hidden: Hidden = NOTHING_HIDDEN,
): string {
  const shown = views.bugs.filter((view) => !hidden.has(view.bug.id));
  const sorted = shown.toSorted((a, b) => byWeight(a.bug, b.bug));
  const rule = context.style.colors.dim('─'.repeat(context.style.width));
  const bugs = LISTS.flatMap((list) => {
    const of = sorted.filter(({ bug }) => listOf(bug) === list);
    const before = context.verbose ? new Map<string, string>() : toldBefore(of, views);
    const told = of.flatMap((view) => [
      ...renderBug(view, context, views.tests[view.bug.test], before.get(view.bug.id)),
      '',
      rule,
      '',
    ]);
    // Where there are races only, the findings speak for themselves.
    return told.length === 0 || (list === 'race' && of.length === sorted.length)
      ? told
      : [...listHeading(list, of.length, context), '', ...told];
  });
  return `${[...bugs, ...renderSummary(report, views, hidden, context.style, context.verbose)].join('\n')}\n`;
}

function listHeading(list: FindingList, of: number, { style, counting }: RenderContext): string[] {
  const why = remarkOn(list, counting);
  const remark = why === '' ? '' : style.colors.dim(`  ${why}`);
  return [`${heading(`${LIST_TITLES[list]}: ${of}`, style)}${remark}`];
}
