/** Failures that only say in which order things came. */
import { inspect } from 'node:util';

/** Longer lists are not compared. */
const LONGEST = 1000;

/** Whether an assertion failed for two lists that have the same in another order. */
export function isMixedUp(error: unknown): boolean {
  try {
    const { actual, expected } = compared(error as Partial<Comparison> & { matcherResult?: Comparison });
    if (!Array.isArray(actual) || !Array.isArray(expected)) return false;
    if (actual.length !== expected.length || actual.length < 2 || actual.length > LONGEST) return false;
    const [one, other] = [actual, expected].map((list) => list.map((each) => inspect(each)));
    return one!.join() !== other!.join() && one!.toSorted().join() === other!.toSorted().join();
  } catch {
    // What the program throws may have getters that throw, and values that cannot be shown.
    return false;
  }
}

interface Comparison {
  readonly actual: unknown;
  readonly expected: unknown;
}

/** Of the assertions of Node and chai; of Jest's `expect`. */
const compared = (error: Partial<Comparison> & { matcherResult?: Comparison }): Partial<Comparison> =>
  error.matcherResult ?? error;
