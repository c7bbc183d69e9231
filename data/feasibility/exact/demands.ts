/** What Node's algorithm demands of the moments for a timer to fire, or for the loop to leave its timers phase. */

import type { Exit, Firing, Sleep } from './alternatives.ts';
import type { Blocked } from './blocked.ts';
import type { Timeline } from './timeline.ts';
import type { List, Timer, TimerLists, TimerPlace } from './timer-lists.ts';
import { type Purpose, TimerPhasePlan } from './timer-phase-plan.ts';
import type { TimerPhaseState } from './timer-phase-state.ts';

type StepClaim = (plan: TimerPhasePlan) => boolean;
type ListClaim = (plan: TimerPhasePlan, list: List) => boolean;

export class Demands {
  private readonly timeline: Timeline;
  private readonly lists: TimerLists;
  private readonly standing: TimerPhaseState;
  /** So much later than its alarm the loop may wake up, ms. */
  private readonly longestPause: number;
  private readonly blocked: Blocked;
  private readonly plan: TimerPhasePlan;

  constructor(
    timeline: Timeline,
    lists: TimerLists,
    standing: TimerPhaseState,
    longestPause: number,
    blocked: Blocked,
  ) {
    this.timeline = timeline;
    this.lists = lists;
    this.standing = standing;
    this.longestPause = longestPause;
    this.blocked = blocked;
    this.plan = new TimerPhasePlan(lists, timeline);
  }

  /** Whether a timer may fire in this way. The trial says what has to move for that. */
  mayFire(timer: Timer, firing: Firing, sleep: Sleep): boolean {
    const { timeline } = this;
    timeline.begin();
    if (this.tryFire(timer, firing, sleep, true)) return true;
    if (!timeline.lifted) return false;
    timeline.begin();
    return this.tryFire(timer, firing, sleep, false);
  }

  private tryFire(timer: Timer, firing: Firing, sleep: Sleep, explains: boolean): boolean {
    const { lists, standing, timeline } = this;
    const { phase, running } = standing;
    const plan = this.begin('claim', explains);
    const isSame = firing.where === 'same';
    if (!isSame && !this.isAwakeBy(timer, plan, sleep)) return false;
    if (!this.fire(timer, firing, plan)) return false;
    const first = (isSame && running?.delay === timer.delay ? running : plan.last) as TimerPlace;
    const visiting = isSame ? phase : -1;
    plan.purpose = 'not yet';
    let { changes } = timeline;
    do {
      changes = timeline.changes;
      for (const list of lists.all) {
        const place = list.delay === timer.delay ? null : plan.placeOf(list);
        if (place && !plan.isAfter(first, place, visiting)) return false;
      }
    } while (timeline.changes !== changes);
    return true;
  }

  /** A loop that does not sleep passes its timers phase right behind the present turn. */
  private isAwakeBy(timer: Timer, plan: TimerPhasePlan, sleep: Sleep): boolean {
    if (sleep !== 'awake') return true;
    const { last } = this.timeline;
    const { alarm } = this.standing;
    return plan.isDue(timer, last) && (alarm < 0 || plan.isDue({ start: alarm, delay: 1 }, last));
  }

  /** Keeps what has to hold now that a timer fires in this way, before it does: where its list is then. */
  keepFire(timer: Timer, firing: Firing): TimerPhasePlan {
    const plan = this.begin('keep');
    this.fire(timer, firing, plan);
    return plan;
  }

  private fire(timer: Timer, firing: Firing, plan: TimerPhasePlan): boolean {
    if (timer.id === this.standing.forced) return true;
    return firing.where === 'same'
      ? this.fireInSame(timer, firing, plan)
      : this.fireInNext(timer, firing, plan);
  }

  private fireInSame(timer: Timer, { ahead }: Firing, plan: TimerPhasePlan): boolean {
    const { phase, running } = this.standing;
    if (phase < 0 || !running || timer.start >= phase || !plan.isDue(timer, phase)) return false;
    if (timer.delay === running.delay) return true;
    if (!plan.visit(ahead, phase)) return false;
    const { place } = this.lists.of(timer.delay) as List;
    return plan.comes(place) && plan.isDue(place, phase) && this.isNoLater(timer, place, ahead, [], plan);
  }

  private fireInNext(timer: Timer, { ending, idle, ahead, woken }: Firing, plan: TimerPhasePlan): boolean {
    const { last } = this.timeline;
    if (!this.end(ending, plan) || !plan.idle(idle, last) || !plan.wake(woken, last)) return false;
    const place = plan.placeOf(this.lists.of(timer.delay) as List) as TimerPlace;
    if (!woken.every((delay) => plan.wakesBefore(this.lists.of(delay) as List, place))) return false;
    const alarm = plan.alarm < 0 ? [] : [{ start: plan.alarm, delay: 1 }];
    const future = [timer, place, ...alarm, { start: last, delay: 0 }];
    return plan.visit(ahead, future) && plan.comes(place) && this.isNoLater(timer, place, ahead, woken, plan);
  }

  /** The phase that is on ends with these visits. */
  private end(ending: readonly number[], plan: TimerPhasePlan): boolean {
    const { phase } = this.standing;
    if (phase < 0) return true;
    if (!plan.visit(ending, phase)) return false;
    plan.close(phase);
    return true;
  }

  /**
   * The phase comes no more than a pause behind the time at which the place of a list woke the loop up; that of one for which
   * the loop was `woken` before, and slept on, is another one since.
   */
  private isNoLater(
    timer: Timer,
    own: TimerPlace,
    ahead: readonly number[],
    woken: readonly number[],
    plan: TimerPhasePlan,
  ): boolean {
    const { longestPause, blocked, lists, timeline } = this;
    const isStale = own.start !== timer.start;
    if (longestPause === Number.POSITIVE_INFINITY || (!isStale && ahead.length === 0)) return true;
    return lists.all.every((list) => {
      const { delay } = list;
      if (!isStale && !ahead.includes(delay)) return true;
      const place = woken.includes(delay) ? plan.placeOf(list) : list.place;
      if (!place) return true;
      const { start } = delay === timer.delay ? own : place;
      const within = longestPause + blocked.postponed(timeline, start, delay);
      const latest = { start: timer.start, delay: timer.delay - delay - within };
      return start === timer.start || plan.isDue(latest, start);
    });
  }

  /** Whether the loop may leave its timers phase in this way. The trial says what has to move for that. */
  mayLeave(again: boolean, exit: Exit): boolean {
    return this.holds(
      (plan) => this.leave(again, exit, plan),
      (plan, list) => {
        const place = plan.placeOf(list);
        return !place || plan.isBehind(place, plan.closed);
      },
    );
  }

  /** Keeps what has to hold now that it leaves in this way. */
  keepLeave(again: boolean, exit: Exit): TimerPhasePlan {
    const plan = this.begin('keep');
    this.leave(again, exit, plan);
    return plan;
  }

  private leave(again: boolean, { way, ending, idle }: Exit, plan: TimerPhasePlan): boolean {
    const { last } = this.timeline;
    if (!this.end(ending, plan) || !plan.idle(idle, last)) return false;
    if (way === 'overlooked') return plan.isDue({ start: last, delay: 0 }, this.standing.alarm);
    if (again) plan.close(last);
    return true;
  }

  /** Whether the first timer of the list that runs may have been due in the phase that is on, or not due. */
  mayBe(timer: Timer, due: boolean): boolean {
    const { phase, running } = this.standing;
    const list = this.lists.of(timer.delay) as List;
    return this.holds(
      (plan) => (due ? plan.isDue(timer, phase) : plan.isBehind(list.place, phase)),
      (plan, one) => one === list || plan.isAfter(running as TimerPlace, one.place, phase),
    );
  }

  /** Keeps that a list has not come so far: it is gone. */
  keepWaiting({ place, delay }: List): void {
    const { phase, running, closed } = this.standing;
    const plan = this.begin('keep');
    plan.isBehind(place, closed);
    if (phase >= 0 && running && delay !== running.delay) plan.isAfter(running, place, phase);
  }

  /** Whether what is pending may still be pending. */
  mayWait(): boolean {
    const { phase, running, closed } = this.standing;
    return this.holds(
      () => true,
      (plan, list) => {
        if (phase < 0 || !running) return plan.isBehind(list.place, closed);
        return list.delay === running.delay || plan.isAfter(running, list.place, phase);
      },
    );
  }

  /** A plan from where the loop stands; what it demands in order to keep holds already. */
  private begin(purpose: Purpose, explains = false): TimerPhasePlan {
    const { plan } = this;
    plan.begin(this.standing, purpose, explains);
    return plan;
  }

  /** Tries late answers of the host as explanation, then pauses of the CPU alone: for the step itself, and of each list. */
  private holds(step: StepClaim, each: ListClaim): boolean {
    this.timeline.begin();
    if (this.attempt(step, each, true)) return true;
    if (!this.timeline.lifted) return false;
    this.timeline.begin();
    return this.attempt(step, each, false);
  }

  private attempt(step: StepClaim, each: ListClaim, explains: boolean): boolean {
    const { timeline, lists } = this;
    const plan = this.begin('claim', explains);
    if (!step(plan)) return false;
    // Of the lists only what does not hold anyway, until nothing moves any more.
    plan.purpose = 'not yet';
    let { changes } = timeline;
    do {
      changes = timeline.changes;
      for (const list of lists.all) if (!each(plan, list)) return false;
    } while (timeline.changes !== changes);
    return true;
  }
}
