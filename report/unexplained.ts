/** What `unweave explain` says of a test of which no order is known to fail: what was tried, and what nobody controlled. */
import type { ReportTest } from '../data/report.ts';
import { count, enumerate } from './layout.ts';
import { orderLines, unseenLine } from './silence.ts';
import { forcedRuns, unseenAs } from './test-state.ts';
import type { TestNotes } from './view.ts';

/** What was asked, and what plain Node says; the rest is in the report. */
export interface ExplainedView {
  readonly test: string;
  readonly title: string;
  /** The finding that explains it; null: there is none. */
  readonly bug: string | null;
  /** null: nothing is known. */
  readonly plain: {
    readonly ok: number;
    readonly of: number;
    /** What the first one that fails says. */
    readonly error: string | null;
    /** The finding has that error. */
    readonly isSame: boolean;
  } | null;
  readonly seed: number;
  readonly maxSchedules: number;
  readonly maxStallMs: number;
  readonly maxTimeMs: number;
  readonly store: string;
}

export interface ExplainedLines {
  readonly mark: string;
  readonly verdict: string;
  /** Heading and text. */
  readonly rest: readonly (readonly [string, string])[];
}

/** Whether nothing can be said of a test in which nothing was found; it fails on plain Node, and nobody knows why, for example. */
export function isUnclear(test: ReportTest, { plain }: ExplainedView, ended: boolean): boolean {
  const list = unseenAs(test, ended);
  const fails = plain !== null && plain.ok < plain.of;
  return (list !== null && list !== 'partly') || test.verdicts.unknown > 0 || fails;
}

export function unexplained(
  explained: ExplainedView,
  test: ReportTest | undefined,
  notes: TestNotes,
  ended: string | undefined,
): ExplainedLines {
  const { plain } = explained;
  const forced = test ? forcedRuns(test) : 0;
  const isRed = test?.baseline === 'red';
  const orders = test && !isRed && forced > 0 && !test.orders?.all ? orderLines(test) : [];
  const why = [notes.reason, notes.unknown].filter((part) => part !== undefined);
  const isDone = test?.analysis === 'complete';
  return {
    mark: !test || isUnclear(test, explained, ended !== undefined) ? '!' : isDone ? '✓' : '◐',
    verdict: verdictOf(test, forced, notes),
    rest: [
      ['Orders', orders.join('; ')],
      ['Why', why.join('; ')],
      ['Plain Node', plainOf(plain) + other(plain, test)],
      ['Not controlled', uncontrolled(notes)],
      ['To go on', hints(explained, test, notes).join('; ')],
    ],
  };
}

const NOT_ORDER = 'the order of answers is not what decides';

function verdictOf(test: ReportTest | undefined, forced: number, { sought = 0 }: TestNotes): string {
  if (test?.baseline === 'red' && sought > 0)
    return `fails in the natural order and in each of ${count(sought, 'other order')} tried: ${NOT_ORDER}`;
  if (test?.baseline === 'red')
    return 'fails in the natural order, and no order is known that always passes: something else seems to decide';
  if (test?.baseline === 'flaky')
    return `fails now and then where each answer comes in the natural order: ${NOT_ORDER}`;
  if (!test || forced === 0) return 'no order of it could be tried';
  const { unknown } = test.verdicts;
  if (unknown > 0)
    return `failed in ${unknown} of ${forced} orders tried, and not each time when the same order was forced again: ${NOT_ORDER}`;
  if (test.orders?.all) return `no order fails: all ${count(test.orders.count, 'feasible order')} tried`;
  return `no order of the ${forced} tried fails`;
}

export function plainOf(plain: ExplainedView['plain']): string {
  if (!plain) return 'could not be asked';
  const { error, isSame, of, ok } = plain;
  if (ok === of) return `${of} of ${of} runs pass`;
  return `${of - ok} of ${of} runs fail${isSame ? ', with this error' : `: ${error}`}`;
}

/** Plain Node fails where no order does. */
function other(plain: ExplainedView['plain'], test: ReportTest | undefined): string {
  if (!plain || plain.ok === plain.of || test?.baseline === 'red') return '';
  return `; so something else decides${test?.orders?.all ? '' : ', or an order that was not tried'}`;
}

const NEVER = 'time, random numbers and the load of the machine never are';

function uncontrolled({ peers = [], saturated, ungated = {}, unseen = [] }: TestNotes): string {
  const calls = Object.entries(ungated).map(([api, times]) => `${api} (${times}×)`);
  const parts = [
    ...(calls.length > 0 ? [`${enumerate(calls)}, which ran when it ran`] : []),
    ...peers.map((peer) => `${peer}, which is another process`),
    ...(unseen.length > 0 ? [unseenLine(unseen)] : []),
    ...(saturated ? [`${count(saturated, 'program point')} ran too often to be recorded to the end`] : []),
  ];
  return parts.length > 0 ? parts.join('; ') : `nothing took part that is known not to be; ${NEVER}`;
}

/** What may show more. */
function hints(
  { maxSchedules, maxStallMs, maxTimeMs, plain, seed }: ExplainedView,
  test: ReportTest | undefined,
  { budget, peers = [], unseen = [] }: TestNotes,
): string[] {
  const isOpen = test?.baseline === 'passed' && test.coverage === 'analysed' && test.orders?.all !== true;
  const longer =
    budget?.limit === 'time'
      ? `--max-time ${Math.ceil((4 * maxTimeMs) / 60_000)}m`
      : `--max-schedules ${4 * maxSchedules}`;
  return [
    ...(budget ? [`\`${longer}\` searches longer`] : []),
    ...(isOpen
      ? [
          `\`--seed ${seed + 1000}\` tries other orders`,
          `\`--max-stall ${10 * maxStallMs}\` lets answers be later`,
        ]
      : []),
    ...(unseen.length > 0 ? ['`--instrument <package>` looks into more code'] : []),
    ...peers.map((peer) => `\`--allow-peer ${peer}\` forces orders although it talks to that`),
    ...(plain && plain.ok === plain.of
      ? ['where it only fails in its suite, look at what runs before it in the same process']
      : []),
  ];
}
