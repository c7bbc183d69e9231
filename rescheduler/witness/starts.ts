/**
 * Where timers are started within their turns: a turn takes its time, so that what it starts later may be due later by
 * that. In a plain run the process stands still before such a start.
 */
import { createHook } from 'node:async_hooks';
import { EventKind, type Trace } from '../../data/trace.ts';
import { native } from '../gate/native.ts';
import type { PlanClock } from './clock.ts';
import type { PlannedAlarm, PlannedPause } from './plan.ts';

/** Node starts an interval anew by itself, behind its callback: nothing can come before that. */
const isRestart = ({ api, name }: Trace['requests'][number]): boolean =>
  api === 'setInterval' && /\+\d+$/.test(name);

/** The timers that each turn starts, in that order, by the step of the turn; -1: the first one. */
export class Starts {
  /** For each request the timer that its turn started last before; -1 where there is none. */
  readonly behind = new Map<number, number>();
  private readonly turns = new Map<number, number[]>();
  private readonly places = new Map<number, { readonly delay: number; readonly nth: number }>();

  constructor({ events, requests }: Trace, causes: ReadonlyMap<number, number>) {
    const counts = new Map<number, number>();
    for (let i = 0; i < events.length; i++) {
      if (events.kind[i] !== EventKind.Issue) continue;
      const id = events.object[i] as number;
      const request = requests[id];
      const cause = causes.get(id);
      if (!request || cause === undefined) continue;
      const turn = this.turns.get(cause) ?? [];
      this.turns.set(cause, turn);
      this.behind.set(id, turn.at(-1) ?? -1);
      if (request.kind !== 'timer') continue;
      turn.push(id);
      if (isRestart(request)) continue;
      const nth = counts.get(request.delay) ?? 0;
      counts.set(request.delay, nth + 1);
      this.places.set(id, { delay: request.delay, nth });
    }
  }

  of(turn: number): readonly number[] {
    return this.turns.get(turn) ?? [];
  }

  /** How a plain run knows the start of a timer; undefined where it cannot stand still before it. */
  placeOf(timer: number): { readonly delay: number; readonly nth: number } | undefined {
    return this.places.get(timer);
  }
}

/** Sees when timers are started, and stands still before that where the plan says so. */
export class TimerStarts {
  private readonly clock: PlanClock;
  private readonly left = new Map<string, number>();
  private readonly counts = new Map<number, number>();
  private readonly started = new Map<string, number>();

  /** `isOurs`: the program runs. `asked`: somebody will ask for alarms. */
  constructor(pauses: readonly PlannedPause[], asked: boolean, clock: PlanClock, isOurs: () => boolean) {
    this.clock = clock;
    for (const { delay, nth, until } of pauses) this.left.set(`${delay} ${nth}`, until);
    if (pauses.length === 0 && !asked) return;
    const starting = (delay: number): void => {
      if (isOurs()) this.starting(Math.trunc(delay));
    };
    createHook({
      init(_id, type, _trigger, resource) {
        if (type === 'Timeout') starting((resource as unknown as { _idleTimeout: number })._idleTimeout);
      },
    }).enable();
    const timer = setTimeout(() => {}, 1);
    clearTimeout(timer);
    const prototype = Object.getPrototypeOf(timer);
    const { refresh } = prototype;
    prototype.refresh = function (this: { _idleTimeout: number }) {
      starting(this._idleTimeout);
      return refresh.call(this);
    };
  }

  /** ms of real time until an alarm; undefined where its timer has not been started. */
  until({ delay, nth, behind }: PlannedAlarm): number | undefined {
    const started = this.started.get(`${delay} ${nth}`);
    return started === undefined ? undefined : started + behind - native.now();
  }

  private starting(delay: number): void {
    const nth = this.counts.get(delay) ?? 0;
    this.counts.set(delay, nth + 1);
    const key = `${delay} ${nth}`;
    const until = this.left.get(key);
    if (until !== undefined) {
      while (this.clock.until(until) > 0);
      this.clock.met(until);
    }
    this.started.set(key, native.now());
  }
}
