/** The report for people: every bug in full, then the summary. */

import type { Report } from '../data/report.ts';
import { type RenderContext, renderBug } from './bug.ts';
import { type Hidden, NOTHING_HIDDEN } from './hidden.ts';
import { byWeight } from './likelihood.ts';
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
  const bugs = sorted.flatMap((view) => [
    ...renderBug(view, context, views.tests[view.bug.test]),
    '',
    rule,
    '',
  ]);
  return `${[...bugs, ...renderSummary(report, views, hidden, context.style, context.verbose)].join('\n')}\n`;
}
