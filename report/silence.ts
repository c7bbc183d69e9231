/** Why nothing was found: what was looked at, what keeps it apart, and what was executed. */
import type { ReportTest } from '../data/report.ts';
import { count, enumerate, shortList } from './layout.ts';
import { forcedRuns } from './test-state.ts';
import type { Silence } from './view.ts';

const MAX_REASONS = 5;

/** How much of all that could happen was executed. */
export function orderLines(test: ReportTest): string[] {
  const { orders } = test;
  if (!orders) return [];
  if (orders.all && orders.count === 1)
    return ['there is no other order than the recorded one: nothing to force'];
  if (orders.all) return [`all ${count(orders.count, 'feasible order')} executed, none fails`];
  const forced = forcedRuns(test);
  const alike = forced > orders.count ? ', some of them alike' : '';
  return [`${count(forced, 'forced run')}${alike}${aboutSoMany(orders.count)}`];
}

/** What is estimated at one says only that no choice was met. */
function aboutSoMany(orders: number): string {
  const rough = roughly(orders);
  return rough === '1' ? '' : `; there are about ${rough} feasible orders`;
}

/** An estimate as people say it: two figures, then the magnitude. */
function roughly(n: number): string {
  if (n < 1000) return String(Number(n.toPrecision(2)));
  return n < 1e6 ? Number(n.toPrecision(2)).toLocaleString('en') : `10^${Math.round(Math.log10(n))}`;
}

/** How many pairs were looked at and what keeps them in order. Only of a `complete` search is anything said to be missing. */
export function silenceLines(test: ReportTest, silence: Silence | undefined, complete = true): string[] {
  if (!silence) return [];
  const nothing = complete ? 'nothing found: ' : '';
  if (silence.pairs === 0) {
    const shared = count(test.sharedEntities, 'shared entity', 'shared entities');
    return [
      `${nothing}${count(test.tasks, 'task')}, ${shared}, and no task wrote between two accesses of another`,
      ...pairsCutLines(silence),
    ];
  }
  const reasons = [...silence.reasons].sort((a, b) => b.count - a.count);
  const shown = reasons.slice(0, MAX_REASONS).map((item) => `${item.reason} (${item.count})`);
  const rest = reasons.slice(MAX_REASONS).reduce((sum, item) => sum + item.count, 0);
  if (rest > 0) shown.push(`other reasons (${rest})`);
  const held = shown.length === 0 ? '' : `, kept apart because ${enumerate(shown)}`;
  const kept = silence.reasons.reduce((sum, item) => sum + item.count, 0);
  const others = silence.pairs - silence.left - kept;
  const other = kept === 0 ? 'these' : `the other ${others === 1 ? 'one' : others}`;
  const isTried = complete && forcedRuns(test) > 0;
  const can = isTried ? `; no order of ${other} failed` : `; ${other} can meet`;
  const free = others > 0 ? can : '';
  const left = silence.left === 0 ? '' : `; ${silence.left} more were beyond the budget of prediction`;
  const found = isTried || others === 0 ? nothing : '';
  return [
    `${found}${count(silence.pairs - silence.left, 'pair')} looked at${held}${free}${left}`,
    ...pairsCutLines(silence),
  ];
}

/** That not all pairs of two variables were looked at. */
export const pairsCutLines = ({ isPairsCut }: Silence): string[] =>
  isPairsCut ? ['of variables that may have to agree two by two, only some were compared'] : [];

/** What several tests say together. */
export function together(silences: readonly Silence[]): Silence {
  const reasons = new Map<string, number>();
  for (const { reason, count: times } of silences.flatMap((silence) => silence.reasons))
    reasons.set(reason, (reasons.get(reason) ?? 0) + times);
  const sum = (of: (silence: Silence) => number): number => silences.reduce((all, one) => all + of(one), 0);
  return {
    pairs: sum(({ pairs }) => pairs),
    left: sum(({ left }) => left),
    isPairsCut: silences.some(({ isPairsCut }) => isPairsCut),
    reasons: [...reasons].map(([reason, times]) => ({ reason, count: times })),
  };
}

/** What was executed of an analysis that is not complete, without a failure. */
export function executedLines(test: ReportTest): string[] {
  const { orders, verdicts } = test;
  const judged = forcedRuns(test) - verdicts.unknown;
  if (judged === 0 || test.undecided !== null) return [];
  const about = orders && !orders.all ? aboutSoMany(orders.count) : '';
  return [`${count(judged, 'forced run')}, none failed${astrayOf(verdicts, judged)}${about}`];
}

/** That runs did not take the orders that they were to take, where that is most of them. */
function astrayOf({ infeasible, diverged }: ReportTest['verdicts'], judged: number): string {
  const astray = infeasible + diverged;
  if (astray === judged) return ', but none took its order';
  return 2 * astray > judged
    ? `, but only ${judged - astray} of them took ${judged - astray === 1 ? 'its' : 'their'} order`
    : '';
}

/** What was not executed. `why`: what cut the analysis short, where that is known. */
export function leftLines({ left }: ReportTest, why: string | null): string[] {
  if (why === null && left === 0) return [];
  const rest =
    left > 0 ? `left: ${count(left, 'predicted order')} not forced` : 'some of the search was left';
  return [why === null ? rest : `${why}: ${rest}`];
}

/** Forced runs without a verdict. */
export function unclearLines({ verdicts }: ReportTest, reason: string | undefined): string[] {
  if (verdicts.unknown === 0) return [];
  return [
    `${count(verdicts.unknown, 'forced run')} could not be judged${reason === undefined ? '' : `: ${reason}`}`,
  ];
}

/** A confirmed failure whose class is not known. */
export const undecidedLines = ({ undecided }: ReportTest): string[] =>
  undecided === null
    ? []
    : [
        `fails in a forced order, each time: ${undecided}; no time was left to tell whether that is a race or a fixed time of the test's own: allow more with --max-time`,
      ];

/** Forced orders that did not end: more time tells a slow one from one that hangs. */
export function endlessLines({ endless }: ReportTest): string[] {
  if (endless === 0) return [];
  const orders = endless === 1 ? 'one forced order' : `${endless} forced orders`;
  return [
    `${orders} came to no end where the natural one does: it may hang; "watchdogMs" gives it more time`,
  ];
}

/** The user's own sources in which nothing could be seen. */
export const unseenLine = (unseen: readonly string[]): string =>
  `ran without being looked into: ${shortList(unseen)}`;
