/** What Node's algorithm demands of the moments for a timer to fire, or for the loop to leave its timers phase. */
import type { Blocked } from './blocked.ts';
import { Course, type Purpose } from './course.ts';
import type { Standing } from './standing.ts';
import type { Timeline } from './timeline.ts';
import type { List, Timer, TimerLists, TimerPlace } from './timer-lists.ts';
import type { Exit, Firing, Sleep } from './ways.ts';

type StepClaim = (course: Course) => boolean;
type ListClaim = (course: Course, list: List) => boolean;

export class Demands {
  private readonly timeline: Timeline;
  private readonly lists: TimerLists;
  private readonly standing: Standing;
  /** So much later than its alarm the loop may wake up, ms. */
  private readonly longestPause: number;
  private readonly blocked: Blocked;
  private readonly course: Course;

  constructor(
    timeline: Timeline,
    lists: TimerLists,
    standing: Standing,
    longestPause: number,
    blocked: Blocked,
  ) {
    this.timeline = timeline;
    this.lists = lists;
    this.standing = standing;
    this.longestPause = longestPause;
    this.blocked = blocked;
    this.course = new Course(lists, timeline);
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
    const course = this.begin('claim', explains);
    const isSame = firing.where === 'same';
    if (!isSame && !this.isAwakeBy(timer, course, sleep)) return false;
    if (!this.fire(timer, firing, course)) return false;
    const first = (isSame && running?.delay === timer.delay ? running : course.last) as TimerPlace;
    const visiting = isSame ? phase : -1;
    course.purpose = 'not yet';
    let { changes } = timeline;
    do {
      changes = timeline.changes;
      for (const list of lists.all) {
        const place = list.delay === timer.delay ? null : course.placeOf(list);
        if (place && !course.isAfter(first, place, visiting)) return false;
      }
    } while (timeline.changes !== changes);
    return true;
  }

  /** A loop that does not sleep passes its timers phase right behind the present turn. */
  private isAwakeBy(timer: Timer, course: Course, sleep: Sleep): boolean {
    if (sleep !== 'awake') return true;
    const { last } = this.timeline;
    const { alarm } = this.standing;
    return course.isDue(timer, last) && (alarm < 0 || course.isDue({ start: alarm, delay: 1 }, last));
  }

  /** Keeps what has to hold now that a timer fires in this way, before it does: where its list is then. */
  keepFire(timer: Timer, firing: Firing): Course {
    const course = this.begin('keep');
    this.fire(timer, firing, course);
    return course;
  }

  private fire(timer: Timer, firing: Firing, course: Course): boolean {
    if (timer.id === this.standing.forced) return true;
    return firing.where === 'same'
      ? this.fireInSame(timer, firing, course)
      : this.fireInNext(timer, firing, course);
  }

  private fireInSame(timer: Timer, { ahead }: Firing, course: Course): boolean {
    const { phase, running } = this.standing;
    if (phase < 0 || !running || timer.start >= phase || !course.isDue(timer, phase)) return false;
    if (timer.delay === running.delay) return true;
    if (!course.visit(ahead, phase)) return false;
    const { place } = this.lists.of(timer.delay) as List;
    return course.comes(place) && course.isDue(place, phase) && this.isNoLater(timer, place, ahead, course);
  }

  private fireInNext(timer: Timer, { ending, idle, ahead, woken }: Firing, course: Course): boolean {
    const { last } = this.timeline;
    if (!this.end(ending, course) || !course.idle(idle, last) || !course.wake(woken, last)) return false;
    const place = course.placeOf(this.lists.of(timer.delay) as List) as TimerPlace;
    if (!woken.every((delay) => course.wakesBefore(this.lists.of(delay) as List, place))) return false;
    const alarm = course.alarm < 0 ? [] : [{ start: course.alarm, delay: 1 }];
    const future = [timer, place, ...alarm, { start: last, delay: 0 }];
    return course.visit(ahead, future) && course.comes(place) && this.isNoLater(timer, place, ahead, course);
  }

  /** The phase that is on ends with these visits. */
  private end(ending: readonly number[], course: Course): boolean {
    const { phase } = this.standing;
    if (phase < 0) return true;
    if (!course.visit(ending, phase)) return false;
    course.close(phase);
    return true;
  }

  /** The phase comes no more than a pause behind the time at which the place of a list woke the loop up. */
  private isNoLater(timer: Timer, own: TimerPlace, ahead: readonly number[], course: Course): boolean {
    const { longestPause, blocked, lists, timeline } = this;
    const isStale = own.start !== timer.start;
    if (longestPause === Number.POSITIVE_INFINITY || (!isStale && ahead.length === 0)) return true;
    return lists.all.every(({ delay, place }) => {
      if (!isStale && !ahead.includes(delay)) return true;
      const { start } = delay === timer.delay ? own : place;
      const within = longestPause + blocked.putOff(timeline, start, delay);
      const latest = { start: timer.start, delay: timer.delay - delay - within };
      return start === timer.start || course.isDue(latest, start);
    });
  }

  /** Whether the loop may leave its timers phase in this way. The trial says what has to move for that. */
  mayLeave(again: boolean, exit: Exit): boolean {
    return this.holds(
      (course) => this.leave(again, exit, course),
      (course, list) => {
        const place = course.placeOf(list);
        return !place || course.isBehind(place, course.closed);
      },
    );
  }

  /** Keeps what has to hold now that it leaves in this way. */
  keepLeave(again: boolean, exit: Exit): Course {
    const course = this.begin('keep');
    this.leave(again, exit, course);
    return course;
  }

  private leave(again: boolean, { way, ending, idle }: Exit, course: Course): boolean {
    const { last } = this.timeline;
    if (!this.end(ending, course) || !course.idle(idle, last)) return false;
    if (way === 'overlooked') return course.isDue({ start: last, delay: 0 }, this.standing.alarm);
    if (again) course.close(last);
    return true;
  }

  /** Whether the first timer of the list that runs may have been due in the phase that is on, or not due. */
  mayBe(timer: Timer, due: boolean): boolean {
    const { phase, running } = this.standing;
    const list = this.lists.of(timer.delay) as List;
    return this.holds(
      (course) => (due ? course.isDue(timer, phase) : course.isBehind(list.place, phase)),
      (course, one) => one === list || course.isAfter(running as TimerPlace, one.place, phase),
    );
  }

  /** Keeps that a list has not come so far: it is gone. */
  keepWaiting({ place, delay }: List): void {
    const { phase, running, closed } = this.standing;
    const course = this.begin('keep');
    course.isBehind(place, closed);
    if (phase >= 0 && running && delay !== running.delay) course.isAfter(running, place, phase);
  }

  /** Whether what is pending may still be pending. */
  mayWait(): boolean {
    const { phase, running, closed } = this.standing;
    return this.holds(
      () => true,
      (course, list) => {
        if (phase < 0 || !running) return course.isBehind(list.place, closed);
        return list.delay === running.delay || course.isAfter(running, list.place, phase);
      },
    );
  }

  /** A course from where the loop stands; what it demands in order to keep holds already. */
  private begin(purpose: Purpose, explains = false): Course {
    const { course } = this;
    course.begin(this.standing, purpose, explains);
    return course;
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
    const course = this.begin('claim', explains);
    if (!step(course)) return false;
    // Of the lists only what does not hold anyway, until nothing moves any more.
    course.purpose = 'not yet';
    let { changes } = timeline;
    do {
      changes = timeline.changes;
      for (const list of lists.all) if (!each(course, list)) return false;
    } while (timeline.changes !== changes);
    return true;
  }
}
