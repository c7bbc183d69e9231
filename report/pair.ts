/** The two steps that an order comes down to. */
import type { ReportBug } from '../data/report.ts';
import type { Move } from './moves.ts';
import { stepPhrase } from './phrase.ts';
import type { BugView, StepRow } from './view.ts';

/** The two steps whose order matters: those of the nearest passing order, else the first that moved and what it passed. */
export function pairOf(
  { bug: { counterfactual: near }, failing }: BugView,
  moves: readonly Move[],
): Set<StepRow> {
  const [first] = moves;
  const told = near ? nearestRows(failing, near) : [];
  return new Set(told.length > 0 || !first ? told : [first.step, first.anchor]);
}

/** The rows that two steps in words mean. Many rows read alike: those that are closest to each other in the order told. */
export function nearestRows(
  failing: readonly StepRow[],
  { step, now, anchor }: NonNullable<ReportBug['counterfactual']>,
): StepRow[] {
  const [earlier, later] = now === 'after' ? [step, anchor] : [anchor, step];
  const named = (text: string): number[] =>
    [...failing.keys()].filter((at) => {
      const row = failing[at] as StepRow;
      return row.kind !== 'access' && text.startsWith(`${row.task}: ${stepPhrase(row)}`);
    });
  const [firsts, seconds] = [named(earlier), named(later)];
  const pairs = firsts.flatMap((a) => seconds.filter((b) => b > a).map((b) => [a, b] as const));
  const [best] = pairs.sort(([a, b], [c, d]) => b - a - (d - c));
  return (best ?? [firsts[0], seconds[0]]).flatMap((at) => (at === undefined ? [] : (failing[at] ?? [])));
}
