/** The end of a report: one line per test, why nothing was found, what was not seen, what was not run. */

import type { Report, ReportTest } from '../data/report.ts';
import type { Verdict } from '../data/verdicts.ts';
import { type Hidden, headlineBugs, renderHidden } from './hidden.ts';
import { heading, ink } from './ink.ts';
import { count, enumerate, hang, indent } from './layout.ts';
import type { Style } from './style.ts';
import type { ReportViews, Silence, TestNotes } from './view.ts';

const MAX_REASONS = 5;

/** The order in which a reader wants to see the counts: bugs, what is nearly one, the rest. */
const ORDER: readonly Verdict[] = [
  'confirmed',
  'deadlock',
  'conditional',
  'passed',
  'infeasible',
  'diverged',
  'unknown',
];

/** What became of a test. */
export type TestState =
  | 'bug'
  | 'red'
  | 'flaky'
  | 'unjudged'
  | 'blind'
  | 'conditional'
  | 'unfinished'
  | 'recorded'
  | 'predicted'
  | 'silent'
  | 'alone';

/** Classifies a test for the summary; the first that applies. */
export function stateOf(test: ReportTest, notes: TestNotes): TestState {
  if (test.verdicts.confirmed + test.verdicts.deadlock > 0) return 'bug';
  if (test.baseline === null) return 'unjudged';
  if (test.baseline !== 'passed') return test.baseline;
  if (test.coverage === null) return 'unjudged';
  if (test.coverage === 'blind') return 'blind';
  if (test.verdicts.conditional > 0) return 'conditional';
  if (notes.budget && notes.budget.left > 0) return 'unfinished';
  if (test.coverage === 'no-concurrency') return 'alone';
  if (executed(test) > 0) return 'silent';
  // A stage alone: nothing was forced, and where nobody predicted either, nothing can be said of silence.
  return test.schedules > 0 ? 'predicted' : notes.silence ? 'silent' : 'recorded';
}

/** Schedules that were forced. */
const executed = ({ verdicts }: ReportTest): number =>
  ORDER.reduce((sum, verdict) => sum + verdicts[verdict], 0);

/** `2 confirmed · 12 passed`. */
export function verdictCounts(test: ReportTest): string {
  const parts = ORDER.flatMap((verdict) =>
    test.verdicts[verdict] > 0 ? [`${test.verdicts[verdict]} ${verdict}`] : [],
  );
  return parts.length === 0 ? 'no order was forced' : parts.join(' · ');
}

/** How much of all that could happen was executed. */
export function orderLines({ orders, schedules }: ReportTest): string[] {
  if (!orders) return [];
  if (orders.all) return [`all ${count(orders.count, 'feasible order')} executed, none fails`];
  const alike = schedules > orders.count ? ', some of them alike' : '';
  return [
    `${count(schedules, 'forced run')}${alike}; there are about ${roughly(orders.count)} feasible orders`,
  ];
}

/** An estimate as people say it: two figures, then the magnitude. */
function roughly(n: number): string {
  if (n < 1000) return String(Number(n.toPrecision(2)));
  return n < 1e6 ? Number(n.toPrecision(2)).toLocaleString('en') : `10^${Math.round(Math.log10(n))}`;
}

/** How many pairs were looked at and what keeps them in order. */
export function silenceLines(test: ReportTest, silence: Silence | undefined): string[] {
  if (!silence) return [];
  if (silence.pairs === 0) {
    const shared = count(test.sharedEntities, 'shared entity', 'shared entities');
    return [
      `nothing found: ${count(test.tasks, 'task')}, ${shared}, and no task wrote between two accesses of another`,
    ];
  }
  const reasons = [...silence.reasons].sort((a, b) => b.count - a.count);
  const shown = reasons.slice(0, MAX_REASONS).map((item) => `${item.reason} (${item.count})`);
  const rest = reasons.slice(MAX_REASONS).reduce((sum, item) => sum + item.count, 0);
  if (rest > 0) shown.push(`other reasons (${rest})`);
  const held = shown.length === 0 ? '' : `, kept apart because ${enumerate(shown)}`;
  const kept = silence.reasons.reduce((sum, item) => sum + item.count, 0);
  const others = silence.pairs - silence.left - kept;
  const other = others === 1 ? 'one' : others;
  const failed =
    executed(test) > 0 ? `; no order of the other ${other} failed` : `; the other ${other} can meet`;
  const free = others > 0 ? failed : '';
  const left = silence.left === 0 ? '' : `; ${silence.left} more were beyond the budget of prediction`;
  const found = executed(test) > 0 || others === 0 ? 'nothing found: ' : '';
  return [`${found}${count(silence.pairs - silence.left, 'pair')} looked at${held}${free}${left}`];
}

function blindLine(test: ReportTest, notes: TestNotes): string {
  const why =
    notes.reason ??
    'tasks overlapped, but neither an access in instrumented source nor a gated request was recorded; try --instrument';
  return `nothing was checked (${count(test.tasks, 'task')}): ${why}`;
}

/** The lines under a test's own line. */
function explain(test: ReportTest, state: TestState, notes: TestNotes): string[] {
  const lines: string[] = [];
  if (state === 'red')
    lines.push(`fails without any forcing, so it was not analysed: ${notes.reason ?? 'see its own output'}`);
  if (state === 'flaky')
    lines.push(
      `does not pass every time in the observed order, so it was not analysed: ${notes.reason ?? 'see its own output'}`,
    );
  if (state === 'unjudged') lines.push(`not judged: ${notes.reason ?? 'the run ended before'}`);
  if (state === 'blind') lines.push(blindLine(test, notes));
  if (state === 'alone')
    lines.push('never were two answers of the host awaited at a time: nothing to reorder');
  if (state === 'silent' || state === 'unfinished') lines.push(...orderLines(test));
  if (state === 'silent' || state === 'unfinished' || state === 'predicted')
    lines.push(...silenceLines(test, notes.silence));
  if (notes.search && state === 'silent') {
    const { orders, tried } = notes.search;
    const kinds = count(orders, 'different order');
    lines.push(
      `beside those predicted ${count(tried, 'schedule')} tried: ${kinds}, up to steps that commute`,
    );
  }
  if (notes.budget && notes.budget.left > 0)
    lines.push(`budget ended (${notes.budget.limit}): left: ${count(notes.budget.left, 'schedule')} not run`);
  const ungated = Object.entries(notes.ungated ?? {}).map(([api, times]) => `${api} (${times}×)`);
  if (ungated.length > 0) lines.push(`not controlled, ran when it ran: ${enumerate(ungated)}`);
  if (notes.saturated)
    lines.push(
      `${count(notes.saturated, 'program point')} ran so often that later accesses were not recorded`,
    );
  return lines;
}

function symbol(state: TestState, { colors }: Style): string {
  if (state === 'bug') return colors.red('✗');
  if (state === 'silent' || state === 'alone') return colors.green('✓');
  if (state === 'recorded' || state === 'predicted') return colors.dim('·');
  return colors.yellow('!');
}

const LABELS: Partial<Record<TestState, string>> = {
  red: 'RED',
  flaky: 'FLAKY',
  blind: 'BLIND',
  unjudged: 'not judged',
  alone: 'no concurrency',
};

function labelOf(test: ReportTest, state: TestState): string {
  if (state === 'recorded') return `recorded: ${count(test.events, 'event')}, ${count(test.tasks, 'task')}`;
  if (state === 'predicted')
    return `${count(test.cutPoints, 'cut point')}, ${count(test.schedules, 'schedule')} to force`;
  return LABELS[state] ?? verdictCounts(test);
}

function testLines(test: ReportTest, notes: TestNotes, style: Style): string[] {
  const state = stateOf(test, notes);
  const title = `${test.file} › ${test.name}`;
  const label = labelOf(test, state);
  const loud = state === 'blind' || state === 'red' || state === 'flaky';
  const head = `  ${symbol(state, style)} ${title} — ${loud ? style.colors.bold(label) : style.colors.dim(label)}`;
  const body = explain(test, state, notes).flatMap((line) => hang('', line, style.width - 6));
  const paint = loud ? style.colors.yellow : (text: string) => ink(text, style);
  return [head, ...indent(body, '      ').map((line) => paint(line))];
}

function closing(report: Report, views: ReportViews, hidden: Hidden): string[] {
  const headline = headlineBugs(report, hidden);
  const conditional = report.bugs.filter((bug) => bug.conditional !== null && !hidden.has(bug.id)).length;
  const affected = new Set(headline.map((bug) => bug.test)).size;
  const schedules = report.tests.reduce((sum, test) => sum + executed(test), 0);
  const total = count(report.tests.length, 'test');
  const parts = [
    headline.length === 0
      ? `no bug confirmed in ${total}`
      : `${count(headline.length, 'bug')} in ${affected} of ${total}`,
  ];
  if (conditional > 0) parts.push(`${conditional} conditional`);
  for (const reason of ['known', 'ignored'] as const) {
    const n = report.bugs.filter((bug) => hidden.get(bug.id) === reason).length;
    if (n > 0) parts.push(`${n} ${reason}`);
  }
  const { monitorMs, predictMs, rescheduleMs } = report.timing;
  parts.push(
    `${count(schedules, 'schedule')} run`,
    `${((monitorMs + predictMs + rescheduleMs) / 1000).toFixed(1)} s`,
  );
  return [
    parts.join(' · '),
    ...(views.ended ? [`stopped early: ${views.ended}`] : []),
    ...(views.remark ? [views.remark] : []),
  ];
}

/** Renders the summary. */
export function renderSummary(report: Report, views: ReportViews, hidden: Hidden, style: Style): string[] {
  const lines = report.tests.flatMap((test) => testLines(test, views.tests[test.id] ?? {}, style));
  const blind = report.tests.filter((test) => test.coverage === 'blind' && test.baseline === 'passed').length;
  const loud =
    blind > 0
      ? [style.colors.bold(style.colors.yellow(`${count(blind, 'test')} blind: silence there says nothing`))]
      : [];
  return [
    heading('Tests', style),
    ...lines,
    '',
    ...renderHidden(report, hidden, style),
    ...loud,
    ...closing(report, views, hidden).map((line) => style.colors.bold(line)),
  ];
}
