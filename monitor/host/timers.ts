/**
 * Timers: Node's own Timeout objects, kept out of Node's lists. Every timer enters a list through one
 * function, so that timeouts, intervals, `timers/promises`, AbortSignal.timeout and the time-outs inside
 * Node's own modules are all seen. A timer of the run is parked in a list of ours; to fire it, it is put
 * alone into a list that Node's own `listOnTimeout` then runs.
 */

import { BEFORE_RUN } from '../../data/trace.ts';
import { nextOrdinal } from '../runtime/frames.ts';
import type { HostRequests } from './controller.ts';
import { nameOf, ownerOf, repeatName } from './naming.ts';
import type { NativeTimeout, NodeInternals, TimersList } from './node-internals.ts';
import { OuterTimers, type TakenTimer } from './outer-timers.ts';
import type { HostAccess, TimedRequest } from './request.ts';
import { setByProgram } from './timer-owner.ts';

/** Of a run: Node goes on with it; it never comes; the process is at its end, and who looks finds all as it was. */
export type WhatIsLeft = 'goes on' | 'never comes' | 'stays';

/** What a list holds so that Node does not take it for empty. */
const FILLER = {};
const NONE: readonly HostAccess[] = [];

function emptyList(): TimersList {
  const list = { msecs: 0, expiry: 0, id: 0, priorityQueuePosition: null } as TimersList;
  list._idleNext = list;
  list._idlePrev = list;
  return list;
}

/** All that is in one of Node's lists. */
function timersOf(list: TimersList): NativeTimeout[] {
  const timers: NativeTimeout[] = [];
  let at = list._idleNext;
  for (; at !== list; at = (at as NativeTimeout)._idleNext!) timers.push(at as NativeTimeout);
  return timers;
}

/** Timers of the run. */
interface HostTimers {
  /** How many there are that keep the process alive. */
  count(): number;
  /**
   * The longest time between two times that a timer goes off which is not of the run, and of which something may come: an
   * interval, or a time-out of the program. In ms; 0: none goes off, for all that is known.
   */
  outerPeriod(): number;
  /** A timer that the program has set outside of the run will go off where something keeps the process alive. */
  awaitsOuter(): boolean;
  /** See {@link Host.surroundAnew}. */
  surroundAnew(): void;
  /** A run begins in the present context: what the program has set for it is of the run from here on. */
  takeOver(): void;
  /** The run is over. */
  drop(left: WhatIsLeft): void;
}

export function wrapTimers(internals: NodeInternals, controller: HostRequests): HostTimers {
  const { L, listOnTimeout, timeoutInfo, binding, timerListMap, timerListQueue } = internals;
  const { append, remove } = L;
  /** Of this run: a table that lived on would, through its earlier versions, keep the timers of many runs. */
  let armed = new Map<NativeTimeout, TimerRequest>();
  /** `listOnTimeout` runs every timer of the list that it is given: this one never holds more than one. */
  const solo = emptyList();
  const parking = emptyList();
  const outer = new OuterTimers(Object.values(timerListMap).flatMap(timersOf), isUpkeep);
  /** Timers of this run that are of what is around it: Node goes on with them. */
  const ofOthers = new WeakSet<NativeTimeout>();
  /** Those that a run has left as they were: in no list of Node's, and not on its count. */
  const kept = new WeakSet<NativeTimeout>();
  /** Of the names of what this run has taken over. */
  let ordinals = new Map<string, number>();
  /** What is set now is what a run has left. */
  let isLeft = false;
  let firing: NativeTimeout | null = null;
  let fired: TimerRequest | null = null;

  /** Lists of the run's delays, by delay. */
  const aside = new Map<number, TimersList>();
  const prototype = Object.getPrototypeOf(clearedTimeout());
  const { refresh } = prototype;

  function arm(timer: NativeTimeout, older?: OlderTimer): void {
    const before = armed.get(timer);
    if (before) controller.cancel(before, true);
    else if (timer.hasRef()) uncount();
    append(parking, timer);
    const request = new TimerRequest(timer, timer === firing ? fired : null, older);
    armed.set(timer, request);
    controller.issue(request);
  }

  /** A timer of the run until it fires; when it repeats, each time is a request of its own. */
  class TimerRequest implements TimedRequest {
    readonly kind = 'timer';
    readonly api: string;
    readonly name: string;
    readonly frame: TimedRequest['frame'];
    readonly site: number;
    readonly delay: number;
    readonly effects = 0;
    readonly repeats: boolean;
    readonly again: boolean;
    readonly isOlder: boolean;
    readonly upkeep?: string;
    ref: boolean;
    id = -1;
    /** The delay with which it was set. */
    private readonly full: number;
    private readonly timer: NativeTimeout;
    /** Intervals: name of the first request, and how often it was armed again. */
    private readonly first: string;
    private readonly times: number;

    constructor(timer: NativeTimeout, before: TimerRequest | null, older?: OlderTimer) {
      const repeats = timer._repeat !== null;
      const again = repeats ? before : null;
      this.repeats = repeats;
      this.again = again !== null;
      this.isOlder = older !== undefined;
      this.timer = timer;
      this.api = apiOf(timer);
      this.times = again ? again.times + 1 : 0;
      this.name = again
        ? repeatName(again, again.first, this.times)
        : (older?.name ?? nameOf(controller, this.api));
      this.first = again ? again.first : this.name;
      const { frames } = controller;
      if (older) {
        this.frame = null;
        this.site = frames.pointAt?.(older.site) ?? -1;
      } else {
        this.frame = again ? again.frame : ownerOf(controller);
        this.site = again ? again.site : (frames.site?.() ?? this.frame?.site ?? -1);
      }
      this.full = Math.trunc(timer._idleTimeout);
      this.delay = older?.left ?? this.full;
      this.ref = timer.hasRef();
      if (repeats && isUpkeep(timer)) this.upkeep = this.first;
    }

    get what(): string {
      return `${this.full} ms`;
    }

    accesses(): readonly HostAccess[] {
      return NONE;
    }

    effect(done: (last?: boolean) => void): void {
      done(true);
    }

    deliver(): void {
      fire(this.timer, this);
    }
  }

  /**
   * Node counts the timers that keep the loop alive and only looks at the count when it passes zero. Timers of
   * ours must not be counted, or the loop would take Node's own next timer for one more of many.
   */
  function uncount(): void {
    const left = timeoutInfo[0]! - 1;
    timeoutInfo[0] = left;
    if (left === 0) binding.toggleTimerRef(false);
  }

  /**
   * Node has made a list for the timer. Left empty it would put later native timers out of order, and taken away
   * it would be made anew for the next timer: it stays to be found, filled and in no queue, until the run ends.
   */
  function putAside(list: TimersList): void {
    if (list._idleNext !== list || list.priorityQueuePosition === null) return;
    timerListQueue.removeAt(list.priorityQueuePosition);
    list.priorityQueuePosition = null;
    list._idleNext = FILLER;
    aside.set(list.msecs, list);
  }

  /** A list of the run is no longer found. */
  function forget(list: TimersList): void {
    aside.delete(list.msecs);
    if (timerListMap[list.msecs] === list) delete timerListMap[list.msecs];
  }

  /** Before Node's code takes a timer of ours off the count. */
  function recount(timer: NativeTimeout): void {
    if (timer.hasRef()) timeoutInfo[0]!++;
  }

  /** Node goes on with a timer that was of the run, from now. */
  function resume(timer: NativeTimeout): void {
    remove(timer);
    if (timer.hasRef() && timeoutInfo[0]!++ === 0) binding.toggleTimerRef(true);
    isLeft = !ofOthers.has(timer);
    refresh.call(timer);
    isLeft = false;
  }

  function fire(timer: NativeTimeout, request: TimedRequest): void {
    fired = armed.get(timer) ?? null;
    armed.delete(timer);
    recount(timer);
    append(solo, timer);
    timer._idleStart = 0;
    firing = timer;
    const { frames } = controller;
    try {
      frames.runAs(frames.deliveryFrame(request), () => listOnTimeout(solo, 0));
    } finally {
      firing = null;
      fired = null;
    }
  }

  /** A timer of the program that was set around the run is of the run. It is called by where it was set. */
  function takeOver(taken: TakenTimer): void {
    const { site, timer } = taken;
    const path = `${BEFORE_RUN}${apiOf(timer)}@${site.file}:${site.line}`;
    ofOthers.add(timer);
    arm(timer, { ...taken, name: `${path}#${nextOrdinal(ordinals, path)}` });
  }

  L.append = (list, timer) => {
    const found = list as TimersList;
    // Node keeps other things in such lists, too: a primary of a cluster the connections for its workers.
    const isTimer = Object.getPrototypeOf(timer) === prototype;
    if (armed.has(timer) || (isTimer && controller.active(apiOf(timer)) && !isDateHeader(timer))) {
      putAside(found);
      if (controller.begunBy() === 'around') ofOthers.add(timer);
      arm(timer);
    } else if (aside.get(found.msecs) === found) {
      // A native timer with a delay of the run: it gets a list that Node looks at.
      forget(found);
      refresh.call(timer);
    } else {
      const site = isTimer && controller.takesOver ? setByProgram() : null;
      if (site) {
        putAside(found);
        takeOver({ timer, site, left: Math.trunc(timer._idleTimeout) });
        return;
      }
      if (isTimer) outer.add(timer, isLeft || controller.begunBy() === 'earlier');
      append(list, timer);
    }
  };
  L.remove = (timer) => {
    remove(timer);
    outer.delete(timer);
    if (kept.delete(timer)) recount(timer);
    const known = armed.get(timer);
    // In its own callback, behind which it would stand in its list once more.
    if (!known && timer === firing && timer._destroyed && fired) controller.cancel(fired);
    if (!known) return;
    armed.delete(timer);
    recount(timer);
    controller.cancel(known);
  };
  for (const method of ['ref', 'unref', 'refresh'] as const) {
    const native = prototype[method];
    prototype[method] = {
      [method](this: NativeTimeout) {
        if (armed.has(this) || kept.has(this)) recount(this);
        const wasArmed = armed.has(this);
        native.call(this);
        if (kept.has(this) && this.hasRef()) uncount();
        const known = armed.get(this);
        if (!known) return this;
        const ref = this.hasRef();
        // A timer that had fired is counted after it was armed again.
        if (ref && (wasArmed || !known.ref)) uncount();
        if (ref !== known.ref) controller.setRef(known, ref);
        return this;
      },
    }[method];
  }
  return {
    count: () => [...armed.values()].filter(({ ref }) => ref).length,
    outerPeriod: () => outer.period,
    awaitsOuter: () => outer.areOfProgram,
    surroundAnew: () => outer.surroundAnew(),
    takeOver() {
      for (const each of outer.take()) {
        const { timer } = each;
        const list = timerListMap[Math.trunc(timer._idleTimeout)];
        if (!list) continue;
        outer.forget(timer);
        remove(timer);
        putAside(list);
        takeOver(each);
      }
    },
    drop(what) {
      // Hooks behind the test know those that hooks before it have set, and wait for connections.
      const goOn = [...armed.keys()].filter(
        (timer) => what === 'goes on' || ofOthers.has(timer) || isOfFetch(timer),
      );
      const left = [...armed.keys()].filter((timer) => !goOn.includes(timer));
      if (what === 'never comes') {
        // A dropped timer must neither fire nor, when cleared or refreshed later, reach Node's lists.
        for (const timer of left) clearTimeout(timer as unknown as NodeJS.Timeout);
      }
      armed = new Map();
      ordinals = new Map();
      for (const list of aside.values()) forget(list);
      if (what !== 'stays') for (const timer of goOn) resume(timer);
      else for (const timer of [...goOn, ...left]) kept.add(timer);
    },
  };
}

/** A timer that the run has taken over, and its name in it. */
interface OlderTimer extends TakenTimer {
  readonly name: string;
}

const apiOf = ({ _repeat }: NativeTimeout): string => (_repeat === null ? 'setTimeout' : 'setInterval');

/**
 * Node keeps the text of HTTP's `Date` header for a second of its process. A timer of that is no step of a program:
 * it would be in the first run of a process and in no other.
 */
function isDateHeader({ _onTimeout: callback }: NativeTimeout): boolean {
  if (typeof callback !== 'function' || callback.name !== 'resetCache') return false;
  return Function.prototype.toString.call(callback).includes('utcCache = undefined');
}

/**
 * `fetch` closes its connections by timers, of which some share one. They are of the process, as the connections are: without them those of
 * one run would stay open for ever behind it, and a hook that waits for its server to close waits for them.
 */
function isOfFetch({ _onTimeout: callback }: NativeTimeout): boolean {
  if (typeof callback !== 'function') return false;
  const mark = OF_FETCH.get(callback.name);
  return mark !== undefined && Function.prototype.toString.call(callback).includes(mark);
}

/** By the name of the function: what stands in it. */
const OF_FETCH: ReadonlyMap<string, string> = new Map([
  ['onTick', 'fastNow'],
  ['onParserTimeout', 'timeoutType'],
]);

/** An HTTP server looks now and then for requests that take too long. */
const isUpkeep = ({ _onTimeout: callback }: NativeTimeout): boolean =>
  typeof callback === 'function' && callback.name === 'bound checkConnections' && isNative(callback);

/** A bound function shows no source of its own. */
const isNative = (fn: Function): boolean => Function.prototype.toString.call(fn).includes('[native code]');

function clearedTimeout(): object {
  const timer = setTimeout(() => {}, 1);
  clearTimeout(timer);
  return timer;
}
