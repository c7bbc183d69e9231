/**
 * C13: one virtual clock. Inside a run Date, the calendar, performance.now, process.hrtime, process.uptime and os.uptime
 * all tell the same time, the one in which its timers fire; outside they are untouched.
 */
import os from 'node:os';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import { replaceMethod } from '../replace.ts';
import { standsIn } from '../stand-ins.ts';
import { wrapCalendar } from './calendar.ts';
import type { HostClock, HostDoubts, HostRequests } from './controller.ts';
import { isForTimings, watchTimings } from './timings.ts';

/** So many looks at a clock that stands still are no busy waiting. */
const PATIENCE = 100_000;
/** What each further look adds, ms. */
const DRIFT_MS = 0.01;

/** Replaces every clock that JavaScript can read. Returns what does it in another realm of this thread. */
export function wrapClocks(
  controller: HostRequests & HostClock & HostDoubts,
): (realm: typeof globalThis) => void {
  const virtual = () => controller.active() && controller.rules.clocks;
  const clock = impatient(controller);
  const wrapRealm = (realm: typeof globalThis) => {
    wrapDate(controller, clock, virtual, realm);
    wrapCalendar(() => (virtual() ? controller.epoch() + clock() : null), realm);
  };
  wrapRealm(globalThis);
  wrapPerformance(controller, clock, virtual);
  wrapProcess(controller, clock, virtual);
  wrapSystem(controller, clock, virtual);
  watchEvents(controller, virtual);
  watchTimings(controller, virtual);
  return wrapRealm;
}

/**
 * The virtual clock of several threads stands still within a turn, so a loop that waits for it to move would never end:
 * after many looks it drifts. By looks and not by real time, so that it is the same in every run; and what has
 * been told is never taken back within a run.
 */
function impatient(controller: HostRequests & HostClock & HostDoubts): () => number {
  let last = 0;
  let looks = 0;
  let drift = 0;
  return () => {
    const clock = controller.clock(isForTimings);
    if (clock !== last) {
      if (clock < last) drift = 0;
      last = clock;
      looks = 0;
    } else if (++looks > PATIENCE) drift += DRIFT_MS;
    return clock + drift;
  };
}

function wrapDate(
  controller: HostRequests & HostClock & HostDoubts,
  clock: () => number,
  virtual: () => boolean,
  realm: typeof globalThis,
): void {
  const Real = realm.Date;
  const now = (): number => (virtual() ? Math.floor(controller.epoch() + clock()) : Real.now());
  function VirtualDate(this: unknown, ...args: unknown[]): unknown {
    if (new.target === undefined) return new Real(now()).toString();
    const given = args.length === 0 ? [now()] : args;
    return Reflect.construct(Real, given, new.target === (VirtualDate as unknown) ? Real : new.target);
  }
  standsIn(VirtualDate, Real);
  standsIn(now, Real.now);
  for (const key of Reflect.ownKeys(Real)) {
    if (key === 'now') continue;
    const property = Object.getOwnPropertyDescriptor(Real, key) as PropertyDescriptor;
    Object.defineProperty(VirtualDate, key, property);
  }
  Object.defineProperty(VirtualDate, 'now', { value: now, writable: true, configurable: true });
  Reflect.defineProperty(Real.prototype, 'constructor', {
    value: VirtualDate,
    writable: true,
    configurable: true,
  });
  Object.defineProperty(realm, 'Date', { value: VirtualDate, writable: true, configurable: true });
}

function wrapPerformance(
  controller: HostRequests & HostClock & HostDoubts,
  clock: () => number,
  virtual: () => boolean,
): void {
  const prototype = Object.getPrototypeOf(performance) as typeof performance;
  const { now: native, mark } = prototype;
  const measure = prototype.measure as (
    this: typeof performance,
    name: string,
    ...range: MeasureRange
  ) => unknown;
  const now = (): number => controller.monotonic() + clock();
  replaceMethod(prototype, 'now', function (this: typeof performance): number {
    return virtual() ? now() : native.call(this);
  });
  // Both look at the clock themselves where they are not told the time.
  replaceMethod(prototype, 'mark', function (this: typeof performance, name: string, options?: MarkOptions) {
    if (!virtual() || options?.startTime !== undefined || isRefused(options))
      return mark.call(this, name, options);
    return mark.call(this, name, { ...options, startTime: now() });
  });
  replaceMethod(
    prototype,
    'measure',
    function (this: typeof performance, name: string, ...range: MeasureRange) {
      return measure.call(this, name, ...(virtual() ? until(range, now) : range));
    },
  );
}

/** Node wants an object, or nothing. */
const isRefused = (options: unknown): boolean =>
  options !== undefined && options !== null && (typeof options !== 'object' || Array.isArray(options));

type MarkOptions = Parameters<typeof performance.mark>[1];
type MeasureRange = [from?: string | MeasureOptions, to?: unknown];
type MeasureOptions = { readonly [key in 'start' | 'end' | 'duration']?: unknown };

/** The same range, and where it would end now, that end. */
function until([from, to]: MeasureRange, now: () => number): MeasureRange {
  if (typeof from !== 'object' || from === null) return [from, to ?? now()];
  const { start, end, duration } = from;
  const ends = end !== undefined || (start !== undefined && duration !== undefined);
  return ends ? [from, to] : [{ ...from, end: now() }, to];
}

function wrapProcess(
  controller: HostRequests & HostClock & HostDoubts,
  clock: () => number,
  virtual: () => boolean,
): void {
  const { hrtime, uptime } = process;
  const { bigint } = hrtime;
  const origin = originOfHrtime(bigint);
  const nanoseconds = () => origin + BigInt(Math.round((controller.monotonic() + clock()) * 1e6));
  function virtualHrtime(before?: [number, number]): [number, number] {
    const isInvalid = before !== undefined && !(Array.isArray(before) && before.length === 2);
    if (!virtual() || isInvalid) return hrtime(before);
    const total = nanoseconds();
    let seconds = Number(total / 1_000_000_000n);
    let rest = Number(total % 1_000_000_000n);
    if (before) {
      seconds -= before[0];
      rest -= before[1];
      if (rest < 0) {
        seconds -= 1;
        rest += 1e9;
      }
    }
    return [seconds, rest];
  }
  Object.defineProperty(virtualHrtime, 'name', { value: 'hrtime', configurable: true });
  virtualHrtime.bigint = () => (virtual() ? nanoseconds() : bigint());
  process.hrtime = virtualHrtime;
  /** The process is a little older than what `performance` counts from, s. */
  const before = uptime.call(process) - performance.now() / 1e3;
  process.uptime = () =>
    virtual() ? before + (controller.monotonic() + clock()) / 1e3 : uptime.call(process);
}

/**
 * What `process.hrtime` tells where `performance` of the main thread counts from, ns: a program compares what it reads in a run
 * with what it read before, and with what other threads read. Never too early.
 */
function originOfHrtime(hrtime: () => bigint): bigint {
  const told = isMainThread ? undefined : getEnvironmentData(HRTIME);
  if (typeof told === 'bigint') return told;
  const now = BigInt(Math.round(performance.now() * 1e6));
  const origin = hrtime() - now;
  if (isMainThread) setEnvironmentData(HRTIME, origin as never);
  return origin;
}

const HRTIME = 'unweave: origin of hrtime';

function wrapSystem(
  controller: HostRequests & HostClock & HostDoubts,
  clock: () => number,
  virtual: () => boolean,
): void {
  const { uptime } = os;
  /** How long the machine ran before the process did, s. */
  const before = uptime() - performance.now() / 1e3;
  replaceMethod(os, 'uptime', () =>
    virtual() ? before + (controller.monotonic() + clock()) / 1e3 : uptime(),
  );
}

/** Events are stamped where nobody can look: a failure that may come from such a time is no proof. */
function watchEvents(controller: HostRequests & HostClock & HostDoubts, virtual: () => boolean): void {
  const stamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp') as PropertyDescriptor;
  Object.defineProperty(Event.prototype, 'timeStamp', {
    ...stamp,
    get(this: Event) {
      if (virtual()) controller.doubt('time stamps of events');
      return stamp.get!.call(this);
    },
  });
}
