/**
 * Lock adapters: teach unweave when a library's lock is asked for, granted and given back.
 *
 * Without an adapter a lock still serialises (its orders turn out infeasible), which costs time, never a
 * false report. With one, the predictor knows locksets and the report names the lock.
 */

import { types } from 'node:util';
import { isOurs } from '../loader/select.ts';
import { setStackDepth } from '../stack-depth.ts';
import { lockFiles } from './lock-files.ts';
import { lockObserver } from './observer.ts';

/** One module with locks. Listed in the configuration (`locks`) as a module whose default export is an adapter. */
export interface LockAdapter {
  /** Package name, or the path of a file of your own as seen from the adapter: `../src/mutex.js`. */
  readonly module: string;
  /** Names of the exports, other than `default`, that {@link adopt} returns. */
  readonly replaces?: readonly string[];
  /**
   * Called with the exports of the module, before any importer sees them. Prototypes are patched in place;
   * exports that must be replaced are returned by name. A file of your own is evaluated anew for every run,
   * and adopted as often.
   */
  adopt(exports: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined;
}

const names = new WeakMap<object, string>();
let counter = 0;

/** `Mutex@src/bank.ts:12`: by the place where the program first used it. */
function nameOf(lock: object, kind: string): string {
  let name = names.get(lock);
  if (name === undefined) {
    const place = userFrame();
    name = place ? `${kind}@${place}` : `${kind}#${++counter}`;
    names.set(lock, name);
  }
  return name;
}

/** The innermost stack frame in the user's own files, relative to the working directory. */
function userFrame(): string | null {
  const limit = Error.stackTraceLimit;
  setStackDepth(30);
  const stack = new Error().stack ?? '';
  setStackDepth(limit);
  const cwd = `${process.cwd()}/`;
  for (const line of stack.split('\n')) {
    const match = /(?:file:\/\/)?(\/[^\s():]+):(\d+):\d+\)?$/.exec(line);
    const file = match?.[1];
    if (!file?.startsWith(cwd) || file.includes('/node_modules/') || isOurs(file)) continue;
    if (lockFiles.has(file)) continue;
    return `${file.slice(cwd.length)}:${match?.[2]}`;
  }
  return null;
}

/**
 * The lock is asked for; `promise` settles when it is granted. `lock` is any object that stands for it, `kind`
 * its name in reports. Costs nothing when nothing is recorded.
 */
export function waitFor(lock: object, kind: string, promise: Promise<unknown>): void {
  lockObserver?.wait(lock, nameOf(lock, kind), promise);
}

/** The lock is given back by whoever holds it. */
export function released(lock: object, kind: string): void {
  lockObserver?.release(lock, nameOf(lock, kind));
}

/**
 * For locks that run a function: asks for `lock` now and returns `fn` such that its start is the grant and
 * its end (or the end of its promise) the release. Arity, `this` and result stay.
 */
export function guarded<F extends (...args: any[]) => unknown>(lock: object, kind: string, fn: F): F {
  if (lockObserver === null) return fn;
  const ticket = lockObserver.wait(lock, nameOf(lock, kind), undefined);
  const run = function (this: unknown, ...args: unknown[]): unknown {
    lockObserver?.enter(ticket);
    let result: unknown;
    try {
      result = fn.apply(this, args);
    } catch (error) {
      released(lock, kind);
      throw error;
    }
    // The library awaits the result as well; our reaction runs first and delays nobody.
    if (types.isPromise(result))
      result.then(
        () => released(lock, kind),
        () => released(lock, kind),
      );
    else released(lock, kind);
    return result;
  };
  return Object.defineProperty(run, 'length', { value: fn.length }) as unknown as F;
}
