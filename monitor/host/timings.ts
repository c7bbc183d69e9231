/**
 * Node's own fetch looks at the clock often, and what it sees shows nowhere but in the entries about resources that
 * `performance` keeps. So such a look settles nothing (C13), and a failure of a run that asks an entry for its times is
 * no proof.
 */
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { getCallSites } from 'node:util';
import { isOurScript } from '../loader/select.ts';
import { wrapMethod } from '../replace.ts';
import type { HostDoubts } from './controller.ts';

/** Where every copy of undici, the one inside Node included, is known to have been loaded. */
const LOADED = [1, 2, 3].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));
const UNDICI = 'node:internal/deps/undici/undici';
/** Our own functions between the reader of a clock and this one, and the reader. */
const FRAMES = 8;

/** Whether it is fetch that is looking at a replaced clock. */
export function isForTimings(): boolean {
  if (!LOADED.some((key) => key in globalThis)) return false;
  return getCallSites(FRAMES).find(({ scriptName }) => !isOurScript(scriptName))?.scriptName === UNDICI;
}

type NativeEntry = typeof PerformanceEntry.prototype;

const TIMES = /^(?:startTime|duration|toJSON)$|Start$|End$/;

/**
 * Entries about resources are not to be trusted; nor are those of which Node itself takes the time (requests, look-ups,
 * functions), and histograms, where our clock has leapt.
 */
export function watchTimings(controller: HostDoubts, virtual: () => boolean): void {
  watch(PerformanceResourceTiming.prototype, () => virtual() && controller.doubt('timings of resources'));
  watch(PerformanceEntry.prototype, ({ entryType }) => {
    if (virtual() && entryType !== 'mark' && entryType !== 'measure')
      controller.otherClock('timings that Node takes');
  });
  watchHistograms(() => {
    if (virtual()) controller.otherClock('timings that Node takes');
  });
  const recordable = Object.getPrototypeOf(createHistogram()) as object;
  wrapMethod(recordable, 'recordDelta', (native) => {
    return function (this: unknown) {
      if (virtual()) controller.otherClock('timings that Node takes');
      return native.call(this);
    };
  });
}

/** Kept: Node does not survive that one is collected while it lists its handles. */
const delays = monitorEventLoopDelay();
const TIMES_OF_HISTOGRAM = /^(?:min|max|mean|stddev|exceeds|percentiles?)(?:BigInt)?$|^toJSON$/;
/** How often Node looked at the loop is how much time there was. */
const LOOKS_OF_HISTOGRAM = /^count(?:BigInt)?$/;

/** Histograms that Node fills, with what functions take or by how much the loop is late; others hold what they were given. */
function watchHistograms(asked: () => void): void {
  const filled = new WeakSet<object>();
  const sampled = new WeakSet<object>();
  wrapMethod(Object.getPrototypeOf(delays), 'enable', (native) => {
    return function (this: object) {
      filled.add(this);
      sampled.add(this);
      return native.call(this);
    };
  });
  wrapMethod(Object.getPrototypeOf(performance), 'timerify', (native) => {
    return function (this: unknown, ...args) {
      const { histogram } = (args[1] ?? {}) as { histogram?: object };
      if (histogram) filled.add(histogram);
      return native.apply(this, args);
    };
  });
  const prototype = Object.getPrototypeOf(Object.getPrototypeOf(delays)) as object;
  for (const key of Object.getOwnPropertyNames(prototype)) {
    const isCount = LOOKS_OF_HISTOGRAM.test(key);
    if (!isCount && !TIMES_OF_HISTOGRAM.test(key)) continue;
    const whose = isCount ? sampled : filled;
    const property = Object.getOwnPropertyDescriptor(prototype, key) as PropertyDescriptor;
    const how = property.get ? 'get' : 'value';
    const native = property[how] as Function;
    Object.defineProperty(prototype, key, {
      ...property,
      [how](this: object, ...args: unknown[]) {
        if (whose.has(this)) asked();
        return native.apply(this, args);
      },
    });
  }
}

/** `asked`: an entry is asked for one of its times. */
function watch(prototype: NativeEntry, asked: (entry: NativeEntry) => void): void {
  for (const key of Object.getOwnPropertyNames(prototype).filter((name) => TIMES.test(name))) {
    const property = Object.getOwnPropertyDescriptor(prototype, key) as PropertyDescriptor;
    const how = property.get ? 'get' : 'value';
    const native = property[how] as (this: unknown) => unknown;
    Object.defineProperty(prototype, key, {
      ...property,
      [how](this: NativeEntry) {
        asked(this);
        return native.call(this);
      },
    });
  }
}
