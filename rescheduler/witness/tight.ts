import type { Moment } from './moments.ts';
import type { LoopStretch } from './stretches.ts';

/** Steps that follow the one before in the same round of the loop, or in the next one. */
export class Tight {
  /** The step after which the loop passed its timers phase last before the round of a step. */
  private readonly passed = new Map<number, number>();
  private readonly firsts = new Map<number, number>();

  constructor(moments: readonly Moment[], stretches: readonly LoopStretch[]) {
    for (const { head, rounds } of stretches)
      for (const [round, steps] of rounds.entries()) {
        const before = round > 0 ? rounds[round - 1]?.[0] : head < 0 ? undefined : head - 1;
        const timers = steps.filter((at) => moments[at]?.kind === 'timer');
        for (const at of steps) {
          if (at === head) continue;
          this.passed.set(at, before ?? -1);
          if (timers[0] !== undefined && timers[0] < at) this.firsts.set(at, timers[0]);
        }
      }
  }

  has(at: number): boolean {
    return this.passed.has(at);
  }

  /** The step behind which a tight timer must be due; -1: the first turn. */
  passedBefore(at: number): number {
    return this.passed.get(at) as number;
  }

  /** Whether a timer of the same phase precedes it. */
  isInPhase(at: number): boolean {
    return this.firsts.has(at);
  }
}
