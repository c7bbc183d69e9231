/**
 * The beginning of the check phase, before all immediates of the program: there Node tells what a name server has
 * answered. An immediate that is always there first, and keeps nothing alive.
 */
import { native } from '../gate/native.ts';

export class CheckPhaseCalls {
  private readonly waiting: (() => void)[] = [];

  /** Make it before the program begins. */
  constructor() {
    this.arm();
  }

  /** Calls `fn` where the next check phase begins, or now that one does. */
  next(fn: () => void): void {
    this.waiting.push(fn);
  }

  private arm(): void {
    const begin = (): void => {
      this.arm();
      // Node runs ticks when it has told all of it.
      for (let fn = this.waiting.shift(); fn; fn = this.waiting.shift()) fn();
      native.drain();
    };
    native.setImmediate(begin).unref();
  }
}
