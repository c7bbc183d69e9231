/** The end of a report: one line per test or file, why nothing was found, what was not seen, what was not run. */

import type { Report, ReportTest } from '../data/report.ts';
import { caseOf, worstOf } from './cases.ts';
import { deeperLines } from './deeper.ts';
import { type Entry, entriesOf } from './entries.ts';
import { type Hidden, headlineBugs, ofClass, renderHidden } from './hidden.ts';
import { heading, ink } from './ink.ts';
import { count, hang, indent } from './layout.ts';
import type { Style } from './style.ts';
import { forcedRuns, isAllElsewhere, markOf, stateOf, type TestState } from './test-state.ts';
import type { ReportViews, TestNotes } from './view.ts';

/** States that nobody should overlook. */
const LOUD: ReadonlySet<TestState> = new Set(['blind', 'red', 'flaky', 'apart', 'guest', 'unclear']);

function entryLines({ state, title, label, lines }: Entry, style: Style): string[] {
  const { bold, dim, yellow } = style.colors;
  const loud = LOUD.has(state);
  const said = label === '' ? '' : ` — ${loud ? bold(label) : dim(label)}`;
  const body = lines.flatMap((line) => hang('', line, style.width - 6));
  const paint = loud ? yellow : (text: string) => ink(text, style);
  return [`  ${markOf(state, style)} ${title}${said}`, ...indent(body, '      ').map((line) => paint(line))];
}

/** Tests whose analysis is not complete, by how far it came. */
const UNDONE: readonly (readonly [string, readonly TestState[]])[] = [
  ['partly analysed', ['partly']],
  ['not analysed', ['red', 'flaky', 'blind', 'unjudged', 'unclear', 'recorded', 'predicted']],
  ['not analysable', ['apart']],
  ['not forced', ['guest']],
];

/** The last lines: what was found in one line, and what holds for the whole run. */
export function closing(report: Report, views: ReportViews, hidden: Hidden): string[] {
  const headline = headlineBugs(report, hidden);
  const conditional = report.bugs.filter((bug) => bug.conditional !== null && !hidden.has(bug.id)).length;
  const cases = Map.groupBy(report.tests, caseOf);
  const ids = new Map(report.tests.map((test) => [test.id, caseOf(test)]));
  const affected = new Set(headline.map((bug) => ids.get(bug.test) ?? bug.test)).size;
  const schedules = report.tests.reduce((sum, test) => sum + forcedRuns(test), 0);
  const total = count(cases.size, 'test');
  const parts = [
    headline.length === 0
      ? `no bug confirmed in ${total}`
      : `${count(headline.length, 'bug')} in ${affected} of ${total}`,
  ];
  const timing = ofClass(report, 'timing', hidden).length;
  if (timing > 0) parts.push(`${timing} timing-dependent`);
  if (conditional > 0) parts.push(`${conditional} conditional`);
  const states = [...cases.values()].map((parts) =>
    worstOf(parts.map((test) => stateOf(test, views.tests[test.id] ?? {}))),
  );
  for (const [words, of] of UNDONE) {
    const n = states.filter((state) => of.includes(state)).length;
    if (n > 0) parts.push(`${n} ${words}`);
  }
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
    ...scenarioLines(report, views),
    ...elsewhereLines(report),
    ...slowLines(report),
    ...deeperLines(report, views),
    ...(views.notices ?? []),
  ];
}

/** What is known of operations that were overlapped and showed nothing. */
function scenarioLines({ tests }: Report, views: ReportViews): string[] {
  const silent = tests.filter((test) => {
    const notes = views.tests[test.id] ?? {};
    // Of an order that could not be judged nobody knows.
    const isJudged = test.verdicts.unknown === 0;
    return notes.spec !== undefined && !notes.allowed && isJudged && QUIET.has(stateOf(test, notes));
  });
  const isWhole = ({ coverage, orders }: ReportTest): boolean =>
    coverage === 'no-concurrency' || orders?.all === true;
  const whole = silent.filter(isWhole).length;
  const bounded = silent.filter((test) => !isWhole(test) && views.tests[test.id]?.bounded);
  const others = silent.filter((test) => !isWhole(test) && !bounded.includes(test));
  const executed = others.reduce((sum, test) => sum + 1 + forcedRuns(test), 0);
  const isUnseen = ({ id, baseline }: ReportTest): boolean =>
    baseline === null && views.tests[id]?.spec !== undefined;
  const unseen = tests.filter(isUnseen).length;
  return [
    ...(whole > 0 ? [`every feasible order of ${count(whole, 'scenario')} has a serial outcome`] : []),
    ...boundedLines(bounded.map(({ id }) => views.tests[id]!.bounded!)),
    ...(others.length > 0
      ? [
          `each outcome of ${count(others.length, `${whole + bounded.length > 0 ? 'more ' : ''}scenario`)} is that of a serial order, in the ${count(executed, 'order')} executed`,
        ]
      : []),
    ...(unseen > 0 ? [`${count(unseen, 'scenario')} not looked at`] : []),
    ...allowedLines(tests.flatMap(({ id }) => views.tests[id]?.allowed ?? [])),
  ];
}

/** Of threads, whose orders are too many to be all executed. */
function boundedLines(bounded: readonly NonNullable<TestNotes['bounded']>[]): string[] {
  const bounds = [...new Set(bounded.map(({ preemptions }) => preemptions))];
  return bounds.map((most) => {
    const own = bounded.filter(({ preemptions }) => preemptions === most).length;
    return `every order with at most ${count(most, 'preemption')} of ${count(own, 'scenario')} has a serial outcome`;
  });
}

function allowedLines(allowed: readonly { readonly reason: string; readonly times: number }[]): string[] {
  const times = new Map<string, number>();
  for (const each of allowed) times.set(each.reason, (times.get(each.reason) ?? 0) + each.times);
  return [...times].map(([reason, of]) => `allowed ${count(of, 'time')}: ${reason}`);
}

const QUIET: ReadonlySet<TestState> = new Set(['silent', 'alone', 'partly']);

/** A command whose tests only start others says nothing of what these do. */
function elsewhereLines({ tests }: Report): string[] {
  if (tests.length === 0 || !tests.every(isAllElsewhere)) return [];
  return [
    'nothing was judged: all that is tested here runs in processes of its own; give what these run to "unweave run" as its command, or call it from a test',
  ];
}

/** Forced runs that share no process are what makes an analysis slow. */
function slowLines({ tests }: Report): string[] {
  const slow = tests.filter(({ ownProcesses }) => ownProcesses !== null).length;
  if (slow === 0) return [];
  return [
    `each forced run of ${count(slow, 'test')} had a process of its own, which is slow: --verbose says why`,
  ];
}

/** Renders the summary. `verbose`: no test is told together with others. */
export function renderSummary(
  report: Report,
  views: ReportViews,
  hidden: Hidden,
  style: Style,
  verbose = false,
): string[] {
  const lines = entriesOf(report, views, verbose).flatMap((entry) => entryLines(entry, style));
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
