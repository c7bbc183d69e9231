/** Where Mocha calls the bodies of tests. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { natively } from '../../gate/session.ts';
import type { MochaBody, MochaClass, MochaRunnable } from './api.ts';
import { isPending } from './tree.ts';

/** From here on what `bodyOf` makes of a test's body is called in its place; null: the test is passed over. */
export function takeBodies(
  { Runnable }: MochaClass,
  bodyOf: (test: MochaRunnable, fn: MochaBody) => MochaBody | null,
): void {
  const { run, timeout } = Runnable.prototype;
  // A body that changes how long it may take has Mocha set its timer anew, which is none of the program's.
  Runnable.prototype.timeout = function (...args) {
    return natively(() => Reflect.apply(timeout, this, args));
  };
  Runnable.prototype.run = function (done) {
    const { fn } = this;
    if (this.type !== 'test' || typeof fn !== 'function' || isPending(this)) return run.call(this, done);
    const body = bodyOf(this, fn);
    if (body === null) return done();
    this.fn = body;
    // A body may tell its end from within, as `this.skip()` does: what follows is not part of it.
    const outside = AsyncLocalStorage.snapshot();
    return run.call(this, (error) => {
      this.fn = fn;
      outside(done, error);
    });
  };
}
