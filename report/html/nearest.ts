/** The failing order beside the nearest one that passes: as far as both were run. */
import { AGAINST } from '../bug.ts';
import { nearestRows } from '../pair.ts';
import { stepPhrase } from '../phrase.ts';
import type { BugView, StepRow } from '../view.ts';

/** Longer ones are cut around the steps that changed places. */
const MOST = 14;
/** Steps shown before and after them. */
const BESIDE = 3;

export interface SideOrder {
  readonly lines: readonly { readonly text: string; readonly isMoved: boolean }[];
  /** Steps before the first line. */
  readonly from: number;
  /** Steps that are not shown. */
  readonly left: number;
}

export interface SideBySide {
  readonly fails: SideOrder;
  readonly passes: SideOrder;
  /** What the passing one is, and how often it passed. */
  readonly title: string;
  readonly remark: string;
}

const isOfHost = ({ kind }: StepRow): boolean => kind !== 'access';

/** Both orders over the same stretch: from a little before the first step that changed places to a little after the last. */
function stretched(
  orders: readonly [readonly StepRow[], readonly StepRow[]],
  isMoved: (row: StepRow) => boolean,
): [SideOrder, SideOrder] {
  const moved = orders.flatMap((rows) => rows.flatMap((row, at) => (isMoved(row) ? [at] : [])));
  const longest = Math.max(...orders.map((rows) => rows.length));
  const from = longest <= MOST ? 0 : Math.max(0, Math.min(...moved, longest) - BESIDE);
  const to =
    longest <= MOST
      ? longest
      : Math.max(from + MOST, Math.min(Math.max(...moved, 0) + BESIDE, from + 3 * MOST));
  const cut = (rows: readonly StepRow[]): SideOrder => {
    const shown = rows.slice(from, to);
    const lines = shown.map((row) => ({ text: `${row.task}: ${stepPhrase(row)}`, isMoved: isMoved(row) }));
    return { lines, from, left: rows.length - shown.length };
  };
  return [cut(orders[0]), cut(orders[1])];
}

/** Null where no passing order is known step by step. */
export function sideBySide(view: BugView, moved: ReadonlySet<StepRow>): SideBySide | null {
  const { bug, natural } = view;
  const failing = view.failing.filter(isOfHost);
  const near = bug.counterfactual;
  const [earlier, later] = near ? nearestRows(failing, near) : [];
  if (near && earlier && later) {
    const step = near.now === 'after' ? earlier : later;
    const anchor = step === earlier ? later : earlier;
    const pair = new Set([step, anchor]);
    const block = near.block ? ' (and with it what its task does next)' : '';
    // Steps that follow from the one that was moved come elsewhere, too: only what stands before both is as it was.
    const same = failing.slice(0, failing.indexOf(earlier));
    const passing = [...same, ...(near.now === 'after' ? [anchor, step] : [step, anchor])];
    const [fails, passes] = stretched([failing, passing], (row) => pair.has(row));
    return {
      fails,
      passes,
      title: `passes ${near.passed}`,
      remark: `the nearest passing order: the same up to the marked steps, then these two the other way round${block}; what comes between and behind them there is not shown`,
    };
  }
  const before = natural.filter(isOfHost);
  if (failing.length === 0 || before.length === 0) return null;
  const keyOf = ({ task, kind, what }: StepRow): string => `${task} ${kind} ${what}`;
  const keys = new Set([...moved].filter(isOfHost).map(keyOf));
  const [fails, passes] = stretched([failing, before], (row) => keys.has(keyOf(row)));
  return {
    fails,
    passes,
    title: `${AGAINST[bug.against]}, passes ${bug.control}`,
    remark: 'no nearer passing order was found',
  };
}
