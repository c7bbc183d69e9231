/**
 * Whether something may come between the end of a test and the turns that it has left behind: hooks, and what the
 * runner takes back. Here those turns come first, so what they leave unhandled counts only where nothing may.
 */
import { allOptions } from '../subjects/job.ts';

let mayClean: boolean | null = null;

/** The program has asked for something that happens when a test is over. */
export function cleans(): void {
  mayClean = true;
}

/** Whether what later turns of a test leave unhandled is natively told for certain. */
export const comesForCertain = (): boolean => !(mayClean ?? endsEarly());

/** The runner does not wait for what tests have left. */
const endsEarly = (): boolean => allOptions().includes('--test-force-exit');

/** Members of a test's context by which something happens at the end of the test. */
const MEMBERS = ['after', 'afterEach', 'mock', 'signal'] as const;
const watched = new WeakSet<object>();

/** Notes the use of such a member of a context, which are all of one class. */
export function watchContext(context: object): void {
  const prototype = Object.getPrototypeOf(context) as object;
  if (watched.has(prototype)) return;
  watched.add(prototype);
  for (const name of MEMBERS) {
    const own = Object.getOwnPropertyDescriptor(prototype, name);
    if (!own?.configurable) continue;
    const read = (self: object): unknown => (own.get ? Reflect.apply(own.get, self, []) : own.value);
    Object.defineProperty(prototype, name, {
      get(this: object) {
        cleans();
        return read(this);
      },
      set(this: object, value: unknown) {
        Object.defineProperty(this, name, { value, configurable: true, writable: true, enumerable: true });
      },
      configurable: true,
      enumerable: own.enumerable ?? false,
    });
  }
}
