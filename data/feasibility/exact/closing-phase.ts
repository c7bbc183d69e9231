/** The closing phase: close callbacks run behind the check phase, as one batch, the last closed first (C9). */
import { NOTHING } from './clock-hypotheses.ts';
import type { LoopState } from './state.ts';
import type { Step } from './steps.ts';

export class ClosingPhase {
  private readonly state: LoopState;

  constructor(state: LoopState) {
    this.state = state;
  }

  /** What has to come next, because the phase has begun; null where it has not. */
  goesOn(): Step[] | null {
    const next = this.state.rules.closing ? this.state.closings.next : undefined;
    return next === undefined ? null : [close(next, 0)];
  }

  steps(steps: Step[]): void {
    const { state } = this;
    const { closings, phase, rules } = state;
    if (!rules.closing) {
      for (const id of closings.all) steps.push(close(id, 0));
      return;
    }
    const { first } = closings;
    if (first === undefined) return;
    if (state.isChecked && phase !== 'check') return;
    if ((phase === 'timers' || phase === 'closing') && state.there !== NOTHING) return;
    const pause = state.passing(phase === 'closing');
    if (pause !== null) steps.push(close(first, pause));
  }

  run(id: number): void {
    const { state } = this;
    const { closings, rules } = state;
    if (rules.closing && !closings.isRunning) state.pass(state.phase === 'closing', 'elsewhere', state.owed);
    closings.run(id);
    state.hypotheses.add(0, state.timeline.last, state.longestTurn);
    state.begin('closing');
  }
}

const close = (id: number, pause: number): Step => ({ kind: 'close', id, pause });
