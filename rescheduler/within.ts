/** What may take only so long. */
import { Deadline } from './deadline.ts';

/** Something outside of the run does not end. */
export class Endless extends Error {}

/** Rejects when something takes longer than it may. */
export async function within<T>(ms: number, what: string, work: T | Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = new Deadline(ms).whenOver(() =>
    reject(new Endless(`${what} did not end within ${ms / 1000} s`)),
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    stop();
  }
}
