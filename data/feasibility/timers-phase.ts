/** The timers phase (C3), and how long the loop may sleep before it. */
import type { Awaited } from './pool.ts';
import { NOTHING } from './readings.ts';
import type { LoopState } from './state.ts';
import type { Step } from './steps.ts';
import type { Candidate, Sleep } from './timers.ts';

export class TimersPhase {
  /** See {@link LoopModel.blockedUntil}. */
  blockedUntil = Number.POSITIVE_INFINITY;
  private readonly state: LoopState;
  /** The moment that stands for the end of the present turn, if it matters. */
  private turnEnd = -1;
  /** What was worked out last, good as long as nothing changed. */
  private known: { sleep: Sleep; version: number; owed: number; candidates: readonly Candidate[] } = {
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
    const { readings, rules, now } = state;
    this.blockedUntil = Number.POSITIVE_INFINITY;
    // C9: after a callback of the poll phase the check phase comes first, and the closing phase behind it.
    if (state.isBarred || readings.timers.size === 0) return;
    const alive = state.keptAlive || state.isBusy;
    if (rules.unref && !alive && !readings.timers.anyRef) return;
    for (const { id, at, pause } of this.candidates()) {
      if (at > now) {
        if (this.isTooLate(state.pool.pending, at) || this.isTooLate(state.arrivals.list, at)) continue;
        if (at > state.horizon) {
          this.blockedUntil = Math.min(this.blockedUntil, at);
          continue;
        }
      }
      steps.push({ kind: 'timer', id, pause, due: at });
    }
  }

  fire(id: number): void {
    const { state } = this;
    state.readings.fire(id, state.longestTurn, this.sleep(), state.owed);
    state.lateness.slept(state.timeline.last);
    state.begin('timers');
  }

  private candidates(): readonly Candidate[] {
    const sleep = this.sleep();
    const { known, state } = this;
    const { owed, readings } = state;
    if (known.sleep !== sleep || known.version !== readings.version || known.owed !== owed) {
      const { version } = readings;
      this.known = { sleep, version, owed, candidates: readings.candidates(sleep, owed) };
    }
    return this.known.candidates;
  }

  private isTooLate(requests: readonly Awaited[], at: number): boolean {
    const { timeline, longestWait } = this.state;
    return requests.some(({ since }) => at - timeline.timeOf(since) > longestWait);
  }

  /**
   * C9: while an immediate, a close callback or a message of this thread waits the loop does not sleep, and their phases
   * precede another timers phase.
   */
  private sleep(): Sleep {
    const { state } = this;
    const { phases, closing } = state.rules;
    const waits = (phases && state.immediates.size > 0) || (closing && state.closings.size > 0);
    if (!waits && state.prompt === NOTHING) return 'asleep';
    if (state.phase === 'timers') return 'same phase';
    if (state.timeline.last !== this.turnEnd) this.turnEnd = state.within();
    return 'awake';
  }
}
