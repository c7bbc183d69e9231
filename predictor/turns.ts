/**
 * In which turn a job runs, where every order has it in the same one: what a delivery frees, and what that frees
 * at once. Nothing of a later turn precedes it.
 */
import type { Program } from './program.ts';

/** The turn before any delivery. */
export const START = -1;
/** It depends on the order. */
export const UNKNOWN = -2;

/** Promises that wait for promises are looked through so far. */
const DEEPEST = 16;

/** For each job the request whose delivery it runs in, {@link START} or {@link UNKNOWN}. */
export function turnsOf(
  { jobs, conditions }: Program,
  precedes: (a: number, b: number) => boolean,
): Int32Array {
  const turns = new Int32Array(jobs.length).fill(UNKNOWN);
  const node = (turn: number): number => jobs.length + turn;
  /** The job before, of the same activation, has run when `turn` comes to this one. */
  const isThere = (previous: number, turn: number): boolean => {
    if (previous < 0) return true;
    const before = turns[previous] as number;
    if (before === turn || (turn !== START && precedes(previous, node(turn)))) return true;
    return turn !== START && (before === START || (before >= 0 && precedes(node(before), node(turn))));
  };
  /** The later one of two, where that is the same in every order. */
  const later = (a: number, b: number): number => {
    if (a === UNKNOWN || b === UNKNOWN) return UNKNOWN;
    if (a === b || a === START) return b;
    if (b === START || precedes(node(b), node(a))) return a;
    return precedes(node(a), node(b)) ? b : UNKNOWN;
  };
  /** The turn in which a condition comes true that frees the job `id`. */
  const freedIn = (condition: number, id: number, depth = 0): number => {
    const cause = conditions[condition];
    if (cause?.kind === 'start') return START;
    if (cause?.kind === 'delivery') return cause.request;
    // A later job cannot be the cause of an earlier one.
    if (cause?.kind === 'job') return cause.job < id ? (turns[cause.job] as number) : UNKNOWN;
    const isOne = cause?.kind === 'all' || (cause?.kind === 'any' && cause.of.length === 1);
    if (!isOne || cause.of.length === 0 || depth >= DEEPEST) return UNKNOWN;
    return cause.of.map((each) => freedIn(each, id, depth + 1)).reduce(later);
  };
  for (const { id, condition, previous } of jobs) {
    const turn = freedIn(condition, id);
    if (turn !== UNKNOWN && isThere(previous, turn)) turns[id] = turn;
  }
  return turns;
}
