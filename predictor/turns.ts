/**
 * In which turn a job runs, where every order has it in the same one: what a delivery frees, and what that frees
 * at once. Nothing of a later turn precedes it.
 */
import type { Program } from './program.ts';

/** The turn before any delivery. */
export const START = -1;
/** It depends on the order. */
export const UNKNOWN = -2;

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
  for (const { id, condition, previous } of jobs) {
    const cause = conditions[condition];
    let turn = UNKNOWN;
    if (cause?.kind === 'start') turn = START;
    else if (cause?.kind === 'delivery') turn = cause.request;
    // A later job cannot be the cause of an earlier one.
    else if (cause?.kind === 'job' && cause.job < id) turn = turns[cause.job] as number;
    if (turn !== UNKNOWN && isThere(previous, turn)) turns[id] = turn;
  }
  return turns;
}
