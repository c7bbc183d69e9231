/** Where the loop is in its timers phases. */
import type { Timer, TimerPlace } from './timer-lists.ts';

export class TimerPhaseState {
  /** All places are behind this moment; -1: none. */
  closed = -1;
  /** The phase that is on: whether timers that are due fire in it is not decided yet; -1: none. */
  phase = -1;
  /** The place of the list that runs in it, when its turn came. */
  running: TimerPlace | null = null;
  /** The moment of the last phase at which Node looked at the clock last before it set its alarm; -1 for never. */
  alarm = -1;
  /** The moment since the last timer fired at which it looked at the clock in ticks; -1 for never. */
  ticked = -1;
  /** The timer that fired last. */
  fired: Timer | null = null;
  /** A timer of this delay was put off when Node had found it due already; -1: none. */
  seized = -1;
  /** What it is called since then: it fires next, in any case. */
  forced = -1;

  copy(): TimerPhaseState {
    const copy = new TimerPhaseState();
    copy.closed = this.closed;
    copy.phase = this.phase;
    copy.running = this.running;
    copy.alarm = this.alarm;
    copy.ticked = this.ticked;
    copy.fired = this.fired;
    copy.seized = this.seized;
    copy.forced = this.forced;
    return copy;
  }

  /** The list of this delay runs in the phase that is on. */
  isRunning(delay: number): boolean {
    return this.phase >= 0 && this.running?.delay === delay;
  }

  /** The moments that matter to what comes next. */
  moments(): number[] {
    const { closed, phase, running, alarm, ticked } = this;
    return [closed, phase, alarm, ticked, running?.start ?? -1].filter((moment) => moment >= 0);
  }

  /** Equal for hypotheses that are at the same place. */
  key(): string {
    const { closed, phase, running, alarm, ticked, forced } = this;
    return [closed, phase, running?.start, running?.delay, alarm, ticked, forced].join();
  }
}
