/** The timers phase (C3), and how long the loop may sleep before it. */

import type { Sleep } from './alternatives.ts';
import { NOTHING } from './clock-hypotheses.ts';
import type { LoopState } from './state.ts';
import type { Step } from './steps.ts';
import type { FiringTimer } from './timers.ts';

export class TimersPhase {
  /** See {@link LoopModel.blockedUntil}. */
  blockedUntil = Number.POSITIVE_INFINITY;
  private readonly state: LoopState;
  /** What was worked out last, good as long as nothing changed. */
  private known: { sleep: Sleep; version: number; owed: number; candidates: readonly FiringTimer[] } = {
    sleep: 'asleep',
    version: -1,
    owed: NOTHING,
    candidates: [],
  };

  constructor(state: LoopState) {
    this.state = state;
  }

  steps(steps: Step[]): void {
    const { state } = this;
    const { hypotheses, rules, now } = state;
    this.blockedUntil = Number.POSITIVE_INFINITY;
    // C9: after a callback of the poll phase the check phase comes first, and the closing phase behind it.
    if (state.isBarred || hypotheses.timers.size === 0) return;
    if (rules.unref && !state.isAlive && !hypotheses.timers.anyRef) return;
    for (const { id, at, pause } of this.candidates()) {
      if (at > now) {
        if (state.isTooLate(at)) continue;
        if (at > state.horizon) {
          this.blockedUntil = Math.min(this.blockedUntil, at);
          continue;
        }
      }
      steps.push({ kind: 'timer', id, pause, due: at });
    }
  }

  /** `late`: so many ms behind the time at which it is due. */
  fire(id: number, late: number): void {
    const { state } = this;
    const sleep = this.sleep();
    const before = state.timeline.last;
    const { now } = state;
    state.hypotheses.fire(id, state.longestTurn, sleep, state.owed);
    state.lateness.slept(before + 1);
    if (sleep === 'asleep') for (const late of state.hypotheses.overslept(before)) state.lateness.woke(late);
    if (late > 0) state.lateness.slept(state.hypotheses.add(state.now + late));
    state.begin('timers');
    if (state.now > now) state.slept();
  }

  private candidates(): readonly FiringTimer[] {
    const sleep = this.sleep();
    const { known, state } = this;
    const { owed, hypotheses } = state;
    if (known.sleep !== sleep || known.version !== hypotheses.version || known.owed !== owed) {
      const { version } = hypotheses;
      this.known = { sleep, version, owed, candidates: hypotheses.candidates(sleep, owed) };
    }
    return this.known.candidates;
  }

  private sleep(): Sleep {
    const { state } = this;
    if (!state.isAwake) return 'asleep';
    if (state.phase === 'timers') return 'same phase';
    state.endTurn(true);
    return 'awake';
  }
}
