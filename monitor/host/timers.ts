/**
 * Timers: Node's own Timeout objects, kept out of Node's lists. Every timer enters a list through one
 * function, so that timeouts, intervals, `timers/promises`, AbortSignal.timeout and the time-outs inside
 * Node's own modules are all seen. A timer of the run is parked in a list of ours; to fire it, it is put
 * alone into a list that Node's own `listOnTimeout` then runs.
 */
import type { Innards, NativeTimeout, TimersList } from './innards.ts';
import { nameOf, ownerOf, repeatName } from './naming.ts';
import type { HostController, HostRequest } from './request.ts';

interface Armed {
  readonly request: HostRequest;
  /** Intervals: name of the first request, and how often it was armed again. */
  readonly first: string;
  readonly times: number;
}

function emptyList(): TimersList {
  const list = { msecs: 0, expiry: 0, id: 0, priorityQueuePosition: null } as TimersList;
  list._idleNext = list;
  list._idlePrev = list;
  return list;
}

/** Returns what empties the parking list at the end of a run. */
export function wrapTimers(innards: Innards, controller: HostController): { drop(): void } {
  const { L, listOnTimeout, timeoutInfo, binding, timerListMap, timerListQueue } = innards;
  const { append, remove } = L;
  /** Of this run: a table that lived on would, through its earlier versions, keep the timers of many runs. */
  let armed = new Map<NativeTimeout, Armed>();
  /** `listOnTimeout` runs every timer of the list that it is given: this one never holds more than one. */
  const solo = emptyList();
  const parking = emptyList();
  let firing: NativeTimeout | null = null;
  let fired: Armed | null = null;

  function arm(timer: NativeTimeout): void {
    const before = armed.get(timer);
    if (before) controller.cancel(before.request);
    else if (timer.hasRef()) uncount();
    append(parking, timer);
    const repeats = timer._repeat !== null;
    const again = repeats && timer === firing ? fired : null;
    const api = repeats ? 'setInterval' : 'setTimeout';
    const delay = Math.trunc(timer._idleTimeout);
    const frame = again ? again.request.frame : ownerOf(controller);
    const request: HostRequest = {
      kind: 'timer',
      api,
      what: `${delay} ms`,
      name: again ? repeatName(again.request, again.first, again.times + 1) : nameOf(controller, api),
      frame,
      site: again ? again.request.site : (controller.frames.site?.() ?? frame?.site ?? -1),
      delay,
      ref: timer.hasRef(),
      id: -1,
      accesses: () => [],
      effects: 0,
      effect: (done) => done(true),
      deliver: () => fire(timer, request),
    };
    armed.set(timer, {
      request,
      first: again ? again.first : request.name,
      times: again ? again.times + 1 : 0,
    });
    controller.issue(request);
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

  /** Node has made a list for the timer: left empty it would put later native timers out of order. */
  function discard(list: TimersList): void {
    if (list._idleNext !== list || list.priorityQueuePosition === null) return;
    timerListQueue.removeAt(list.priorityQueuePosition);
    delete timerListMap[list.msecs];
  }

  /** Before Node's code takes a timer of ours off the count. */
  function recount(timer: NativeTimeout): void {
    if (timer.hasRef()) timeoutInfo[0]!++;
  }

  function fire(timer: NativeTimeout, request: HostRequest): void {
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

  L.append = (list, timer) => {
    if (!controller.active() && !armed.has(timer)) {
      append(list, timer);
      return;
    }
    discard(list as TimersList);
    arm(timer);
  };
  L.remove = (timer) => {
    remove(timer);
    if (armed.size === 0 || timer === firing) return;
    const known = armed.get(timer);
    if (!known) return;
    armed.delete(timer);
    recount(timer);
    controller.cancel(known.request);
  };
  const prototype = Object.getPrototypeOf(clearedTimeout());
  for (const method of ['ref', 'unref', 'refresh'] as const) {
    const native = prototype[method];
    prototype[method] = {
      [method](this: NativeTimeout) {
        if (armed.has(this)) recount(this);
        const wasArmed = armed.has(this);
        native.call(this);
        const known = armed.get(this);
        if (!known) return this;
        const ref = this.hasRef();
        // A timer that had fired is counted after it was armed again.
        if (ref && (wasArmed || !known.request.ref)) uncount();
        if (ref !== known.request.ref) controller.setRef(known.request, ref);
        return this;
      },
    }[method];
  }
  return {
    drop() {
      for (const timer of armed.keys()) {
        // A dropped timer must neither fire nor, when cleared or refreshed later, reach Node's lists.
        clearTimeout(timer as unknown as NodeJS.Timeout);
      }
      armed = new Map();
    },
  };
}

function clearedTimeout(): object {
  const timer = setTimeout(() => {}, 1);
  clearTimeout(timer);
  return timer;
}
