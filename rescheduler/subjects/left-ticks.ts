/**
 * What hooks have left to ticks as the body of a test is called. Runners call it in a microtask, so that these ticks come behind its
 * first statements and its microtasks; a run begins in a tick of its own, before which they would be over.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { wrapMethod } from '../../monitor/replace.ts';
import { isGated } from '../gate/session.ts';

type Tick = () => void;

class LeftTicks {
  private nextTick: ((tick: Tick) => void) | null = null;
  /** How many ticks were asked for outside of runs. */
  private count = 0;
  /** So many of them wait once they come. */
  private waiting = 0;
  private readonly held: Tick[] = [];

  /** To be called before hooks are. */
  watch(): void {
    if (this.nextTick) return;
    wrapMethod(process, 'nextTick', (native) => {
      this.nextTick = (tick) => void native.call(process, tick);
      const watched = (tick: unknown, args: unknown[]) => this.watched(tick as Function, args);
      return function (this: unknown, ...args) {
        // The ticks of a run are its own, and Node says itself what is wrong with what is no function.
        if (isGated() || typeof args[0] !== 'function') return native.apply(this, args);
        return native.call(this, watched(args[0], args.slice(1)));
      };
    });
  }

  private watched(tick: Function, args: readonly unknown[]): Tick {
    const nth = ++this.count;
    const inContext = AsyncLocalStorage.snapshot();
    const run = () => Reflect.apply(tick, undefined, args);
    return () => {
      if (nth <= this.waiting) this.held.push(() => inContext(run));
      else run();
    };
  }

  /** What was asked for by now waits until {@link release}. */
  hold(): void {
    this.waiting = this.count;
  }

  /** What waits comes now, as ticks that were asked for in this moment. */
  release(): void {
    this.waiting = 0;
    for (const tick of this.held.splice(0)) this.nextTick!(tick);
  }
}

/** Of this process. */
export const leftTicks = new LeftTicks();
