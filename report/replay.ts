/** What `unweave replay` says: is the bug still there? */
import type { Outcome } from '../data/run.ts';
import type { ToldOutcome } from '../data/scenario.ts';
import { type RenderContext, renderBug } from './bug.ts';
import { count, hang, shortList } from './layout.ts';
import { renderTrace, type TraceRow } from './trace-table.ts';
import type { BugView } from './view.ts';
import { type Witness, witnessSentence } from './witness.ts';

/** How one replay ended. */
export type ReplayOutcome =
  | 'failed'
  | 'deadlock'
  | 'passed'
  | 'infeasible'
  | 'diverged'
  | 'unanchored'
  | 'unknown';

export interface ReplayRun {
  readonly outcome: ReplayOutcome;
  /** Its error, or where the order was left and what came instead: one line. */
  readonly detail: string | null;
  /** Every step of the order was taken; absent: nobody knows. */
  readonly followed?: boolean;
  /** Of calls that overlap: what came of them, and what may. */
  readonly told?: ToldOutcome;
}

/** The answer to `unweave replay <id>`. */
export interface ReplayView {
  readonly id: string;
  readonly runs: readonly ReplayRun[];
  /** What plain Node says of the order; null where it was not asked. */
  readonly witness: Witness | null;
  /** Files that are not those of the recording any more. */
  readonly edited?: readonly string[];
  /** What the program as it is now says in its natural order, where it fails in that as well. */
  readonly naturally?: string;
  /** The bug as it was reported; null for a schedule that never was one. */
  readonly bug: BugView | null;
  /** The run event by event; null or absent: not asked for, or it could not be recorded. */
  readonly trace?: { readonly outcome: Outcome; readonly rows: readonly TraceRow[] } | null;
}

/** Is the bug there? `unclear`: no run failed, and at least one did not get to the point; or it fails in whatever order. */
export function replayState({ naturally, runs }: ReplayView): 'there' | 'gone' | 'unclear' {
  if (naturally !== undefined) return 'unclear';
  if (runs.some(({ outcome }) => outcome === 'failed' || outcome === 'deadlock')) return 'there';
  const told = runs.every(({ outcome }) => outcome === 'passed' || outcome === 'infeasible');
  return told && runs.length > 0 ? 'gone' : 'unclear';
}

const HEADLINES = {
  there: (id: string) => `${id}: the bug is there`,
  gone: (id: string) => `${id}: the bug is gone`,
  unclear: (id: string) => `${id}: cannot tell`,
} as const;

const MEANINGS: Record<ReplayOutcome, string> = {
  failed: 'failed in this order',
  deadlock: 'ended in a deadlock',
  passed: 'followed the order and passed',
  infeasible: 'can no longer produce this order',
  diverged: 'left this order: the program took another way',
  unanchored: 'no longer have the program points of this order',
  unknown: 'could not be judged',
};

/** The run that is told is one more, with everything recorded. */
const RECORDED: Record<Outcome, string> = {
  fail: 'The order once more, recorded; it failed',
  deadlock: 'The order once more, recorded; it ended in a deadlock',
  pass: 'The order once more, recorded; it passed',
  unknown: 'The order once more, recorded; it could not be judged',
};

/** Whether the order is one of the program as it is now. Its steps have no line numbers: moved code changes none. */
export function appliesLine({ edited = [], runs }: ReplayView): string {
  if (edited.length === 0) return '';
  const what = `${shortList(edited)} changed since the recording`;
  if (runs.length > 0 && runs.every(({ followed }) => followed === true))
    return `${what}: the order still applies, all of its steps were taken`;
  if (runs.some(({ outcome }) => outcome === 'infeasible'))
    return `${what}: the order still names steps of the program, which can no longer come like this`;
  return `${what}: whether the order still applies cannot be told, for not all of its steps were taken; record it anew`;
}

/** Renders the answer as text that ends with a newline. */
export function renderReplay(view: ReplayView, context: RenderContext): string {
  const { style } = context;
  const state = replayState(view);
  const paint = { there: style.colors.red, gone: style.colors.green, unclear: style.colors.yellow }[state];
  const lines = [paint(HEADLINES[state](view.id))];
  const outcomes = [...new Set(view.runs.map((run) => run.outcome))];
  for (const outcome of outcomes) {
    const runs = view.runs.filter((run) => run.outcome === outcome);
    lines.push(`  ${runs.length} of ${count(view.runs.length, 'run')} ${MEANINGS[outcome]}`);
    const details = new Set(runs.flatMap((run) => (run.detail === null ? [] : [run.detail])));
    for (const detail of details) lines.push(...hang('    ', detail, style.width));
  }
  const applies = appliesLine(view);
  if (applies !== '') lines.push(...hang('  ', applies, style.width));
  if (view.naturally !== undefined)
    lines.push(...hang('  ', `it fails in the natural order as well: ${view.naturally}`, style.width));
  if (view.witness) lines.push(...hang('  ', witnessSentence(view.witness), style.width));
  if (view.trace === null) lines.push('  the run could not be recorded: there is no trace of it');
  if (view.trace) {
    lines.push('', `${RECORDED[view.trace.outcome]}:`, '');
    // A long run has more rows than a call may have arguments.
    for (const row of renderTrace(view.trace.rows, style)) lines.push(row);
    lines.push('');
  }
  if (state === 'there' && view.bug) lines.push('', ...renderBug(view.bug, context));
  return `${lines.join('\n')}\n`;
}
