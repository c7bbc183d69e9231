/** The body of a test that is held: how it begins, and that it need not come to its end. */
import { types } from 'node:util';

/** A test that is told that what it waits for failed has so long to come to its end, ms. */
const MOST_END_MS = 1000;

/** What it gives, or throws at once, as a promise. */
export function started(body: () => unknown): Promise<unknown> {
  try {
    const value = body();
    return types.isPromise(value) ? value : Promise.resolve(value);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Whether the end of a test comes soon. `over` does not reject. */
export async function endsSoon(over: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, MOST_END_MS, false);
  });
  const inTime = await Promise.race([over.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}
