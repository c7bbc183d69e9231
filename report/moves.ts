/** Where two orders of the same steps differ: the fewest steps that were moved, and past what. */
import { longestIncreasing } from '../data/longest-increasing.ts';
import type { StepRow } from './view.ts';

/** One moved step and the step that it changed places with. */
export interface Move {
  readonly step: StepRow;
  /** `after`: the step now comes after `anchor` and came before it naturally. */
  readonly now: 'before' | 'after';
  readonly anchor: StepRow;
  /** It comes in the failing order only. */
  readonly isNew?: true;
}

/**
 * The same step of two runs gets the same key: its stable name where both have that, or its content, and its ordinal among equal ones.
 * Words may differ, as ports and names made by chance do, and the task where another one began beside it; names do where a connection is
 * used again in one of the runs.
 */
function keysOf(natural: readonly StepRow[], failing: readonly StepRow[]): [string[], string[]] {
  const named = (rows: readonly StepRow[]): Set<string> => new Set(rows.flatMap(({ name }) => name ?? []));
  const both = named(natural).intersection(named(failing));
  const keys = (rows: readonly StepRow[]): string[] => {
    const seen = new Map<string, number>();
    return rows.map((row) => {
      const place = row.site ? `${row.site.file}:${row.site.line}:${row.site.column}` : '';
      const isNamed = row.name !== undefined && both.has(row.name);
      const text = isNamed ? `${row.name}` : JSON.stringify([row.task, row.kind, row.what, place]);
      const nth = seen.get(text) ?? 0;
      seen.set(text, nth + 1);
      return `${text}#${nth}`;
    });
  };
  return [keys(natural), keys(failing)];
}

/** Steps of the host cause the order; accesses only follow from it. */
const byHost = (row: StepRow): boolean => row.kind !== 'access';

/**
 * The moves that lead from the natural to the failing order. Steps that occur in only one of the two
 * are left out: they are consequences, not causes, but for a timer that goes off before anything else is new or moved. So are
 * accesses, unless nothing else moved. Where nothing moved at all, the failure came before what naturally precedes it, or behind a step that naturally does not come: a time-out.
 */
export function findMoves(natural: readonly StepRow[], failing: readonly StepRow[]): Move[] {
  const [hostNatural, hostFailing] = [natural.filter(byHost), failing.filter(byHost)];
  const causes = movesAmong(hostNatural, hostFailing);
  if (causes.length > 0) return [...timedOut(hostNatural, hostFailing, causes), ...causes];
  const accesses = movesAmong(natural, failing);
  if (accesses.length > 0) return accesses;
  const late = overtaken(hostNatural, hostFailing);
  return late.length > 0 ? late : appeared(hostNatural, hostFailing);
}

/** The first step that the natural order does not have: what comes before it is as naturally, so that nothing else brought it about. */
function appeared(natural: readonly StepRow[], failing: readonly StepRow[]): Move[] {
  const [usual, here] = keysOf(natural, failing);
  const at = here.findIndex((key) => !usual.includes(key));
  const next = natural[at];
  if (at < 0 || !next) return [];
  const anchor = failing[here.indexOf(usual[at] as string)] ?? next;
  return [{ step: failing[at] as StepRow, now: 'before', anchor, isNew: true }];
}

/** The first thing that is other than naturally is a timer that naturally does not go off. */
function timedOut(natural: readonly StepRow[], failing: readonly StepRow[], moves: readonly Move[]): Move[] {
  const [first] = appeared(natural, failing);
  if (!first || !/^set(?:Timeout|Interval) /.test(first.step.what)) return [];
  const at = failing.indexOf(first.step);
  return moves.every(({ step }) => failing.indexOf(step) > at) ? [first] : [];
}

/** Steps that the failing order did not come to, although some that naturally follow them were taken. */
function overtaken(natural: readonly StepRow[], failing: readonly StepRow[]): Move[] {
  const [usual, here] = keysOf(natural, failing);
  const taken = new Set(here);
  const isTaken = usual.map((key) => taken.has(key));
  return natural.flatMap((step, at): Move[] => {
    const anchor = isTaken[at] ? undefined : natural.find((_, later) => later > at && isTaken[later]);
    return anchor ? [{ step, now: 'after', anchor }] : [];
  });
}

function movesAmong(natural: readonly StepRow[], failing: readonly StepRow[]): Move[] {
  const [usual, here] = keysOf(natural, failing);
  const place = new Map(usual.map((key, at) => [key, at]));
  const common = here.flatMap((key, at) => {
    const then = place.get(key);
    return then === undefined ? [] : [{ row: failing[at]!, then }];
  });
  const kept = longestIncreasing(common.map((step) => step.then));
  const moves: Move[] = [];
  common.forEach((step, at) => {
    if (kept.has(at)) return;
    const after = common.findLast((other, j) => j < at && kept.has(j) && other.then > step.then);
    const before = common.find((other, j) => j > at && kept.has(j) && other.then < step.then);
    if (after) moves.push({ step: step.row, now: 'after', anchor: after.row });
    else if (before) moves.push({ step: step.row, now: 'before', anchor: before.row });
  });
  return moves;
}

/** Moves in a row that put steps of one task past steps of one other, the same way. */
export function trains(moves: readonly Move[]): Move[][] {
  const out: Move[][] = [];
  for (const move of moves) {
    const last = out.at(-1);
    const isAlike = ({ step, now, anchor }: Move): boolean =>
      step.task === move.step.task && now === move.now && anchor.task === move.anchor.task;
    if (last && isAlike(last[0]!)) last.push(move);
    else out.push([move]);
  }
  return out;
}
