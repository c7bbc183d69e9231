/**
 * In whose body code runs. Node's test runner looks that up by the id of the asynchronous operation, which means nothing
 * where the gate hands out answers; so functions of `node:test` that mean the running test are called in its name.
 */
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { RunningCase } from '../adapter.ts';

export interface Body {
  readonly fullName: string;
  readonly running: RunningCase;
  /** Calls a function as the runner called the test. */
  natively<T>(fn: () => T): T;
}

const bodies = new AsyncLocalStorage<Body>();

/** Of the test that the runner calls at this moment. */
export function bodyOf(running: RunningCase, fullName: string): Body {
  const resource = new AsyncResource('UnweaveTestBody');
  return { fullName, running, natively: (fn) => resource.runInAsyncScope(fn) };
}

/** Runs the body of a test, or some of it. */
export const inBody = <T>(body: Body, fn: () => T): T => bodies.run(body, fn);

/** The body that runs now: none at the top of a file, in the function of a suite, and in hooks. */
export const bodyAround = (): Body | undefined => bodies.getStore();
