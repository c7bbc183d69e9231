/**
 * Finds the stretches of an order in which the loop cannot go round once more: while an immediate or a close callback
 * waits, the loop neither sleeps nor passes the phase that runs it, so which round a step belongs to is known.
 */
import type { Moment } from './moments.ts';

/** The phases of the loop in their order. */
const PHASES = { timers: 0, poll: 1, heads: 1.5, check: 2, closing: 3 } as const;

export interface LoopStretch {
  /** Its first step; -1: the first turn. */
  readonly head: number;
  /** All steps of each round, the head in the first one. The first turn precedes all rounds. */
  readonly rounds: readonly (readonly number[])[];
}

/** For each step: whether something waits for the check or the closing phase when it comes. */
export function waitsOf(moments: readonly Moment[]): boolean[] {
  const changes = new Int32Array(moments.length + 1);
  for (const [at, { kind, cause }] of moments.entries()) {
    if (kind !== 'immediate' && kind !== 'close') continue;
    changes[cause + 1]! += 1;
    changes[at + 1]! -= 1;
  }
  let waiting = 0;
  return moments.map((_, at) => (waiting += changes[at]!) > 0);
}

export function stretchesOf(moments: readonly Moment[], waits: readonly boolean[]): LoopStretch[] {
  const stretches: LoopStretch[] = [];
  for (let at = 0; at < moments.length; at++) {
    if (!waits[at]) continue;
    const head = at - 1;
    let end = at;
    while (end < moments.length && waits[end]) end++;
    stretches.push({ head, rounds: roundsOf(moments, head, end) });
    at = end;
  }
  return stretches;
}

function roundsOf(moments: readonly Moment[], head: number, end: number): number[][] {
  const rounds: number[][] = head < 0 ? [] : [[head]];
  const roundOf = new Map<number, number>();
  let phase: number = head < 0 ? PHASES.closing : phaseOf(moments[head] as Moment);
  let unphased: number[] = [];
  for (let at = head + 1; at < end; at++) {
    const { kind, cause } = moments[at] as Moment;
    if (kind === 'effect' || kind === 'end') {
      unphased.push(at);
      continue;
    }
    const own = phaseOf(moments[at] as Moment);
    // What a batch of immediates or close callbacks makes of its own kind waits for another batch.
    const isMadeByBatch =
      own === phase &&
      own >= PHASES.check &&
      moments[cause]?.kind === kind &&
      roundOf.get(cause) === rounds.length - 1;
    if (own < phase || isMadeByBatch || rounds.length === 0) rounds.push([]);
    phase = own;
    roundOf.set(at, rounds.length - 1);
    rounds.at(-1)?.push(...unphased, at);
    unphased = [];
  }
  return rounds;
}

function phaseOf({ kind, putOff }: Moment): number {
  if (putOff) return PHASES.heads;
  if (kind === 'timer') return PHASES.timers;
  if (kind === 'immediate') return PHASES.check;
  return kind === 'close' ? PHASES.closing : PHASES.poll;
}
