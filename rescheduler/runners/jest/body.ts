/** The body of a Jest test, which returns a promise or takes a callback, as one that a {@link BodyRunner} runs. */
import { inspect } from 'node:util';
import { isNativeError } from 'node:util/types';
import type { CaseId } from '../../subjects/job.ts';
import type { BodyRunner, RunningCase } from '../adapter.ts';
import type { JestBody } from './api.ts';

type DoneCallback = (reason?: unknown) => void;

/** `fn` run by `bodies`; it takes a callback where `fn` does. */
export function bodyIn(bodies: BodyRunner, running: () => RunningCase, id: CaseId, fn: JestBody): JestBody {
  if (fn.length === 0)
    return function (this: unknown) {
      return bodies.run(id, () => returnedBy(Reflect.apply(fn, this, [])), running());
    };
  return function (this: unknown, done) {
    bodies
      .run(id, () => called(fn, this), running())
      .then(
        () => done!(),
        (error: unknown) => done!(error ?? new Error(`Failed: ${inspect(error)}`)),
      );
  };
}

const isPromise = (value: unknown): boolean =>
  value !== null &&
  (typeof value === 'object' || typeof value === 'function') &&
  typeof (value as { then?: unknown }).then === 'function';

/** Jest allows a body without a callback a promise, or nothing. */
function returnedBy(value: unknown): unknown {
  if (value === undefined || isPromise(value)) return value;
  throw new Error(
    `test functions can only return Promise or undefined.\nReturned value: ${inspect(value, { depth: 2 })}`,
  );
}

/** A call of a body that takes a callback, settled as Jest settles it. */
function called(fn: JestBody, self: unknown): Promise<void> {
  let isOver = false;
  const settled = new Promise<void>((resolve, reject) => {
    let returned: unknown;
    let isCalled = false;
    const done: DoneCallback = (reason) => {
      if (isCalled && !isOver) {
        const twice = new Error('Expected done to be called once, but it was called multiple times.');
        reject(twice);
        throw twice;
      }
      isCalled = true;
      // A callback that is called at once is heard when the body has returned.
      void Promise.resolve().then(() => {
        if (isOver && reason) throw late(reason);
        if (returned !== undefined) reject(new Error(BOTH));
        else if (reason) reject(reason);
        else resolve();
      });
    };
    returned = Reflect.apply(fn, self, [done]);
  });
  const over = (): void => void (isOver = true);
  settled.then(over, over);
  return settled;
}

/** An error that a callback is told of when its test is over. */
function late(reason: unknown): Error {
  const error = isNativeError(reason) ? reason : new Error(`Failed: ${inspect(reason)}`);
  error.message = `Caught error after test environment was torn down\n\n${error.message}`;
  return error;
}

/** Jest's own words. */
const BOTH =
  "Test functions cannot both take a 'done' callback and return something. Either use a 'done' callback, or return a promise.";
