/** Functions that the user wants to be taken for requests to the host: their answers come when the host says so. */
import { types } from 'node:util';
import { flush } from './pending.ts';
import { siteInfo } from './points.ts';
import { state } from './state.ts';

/** A call of such a function is over: when its caller may know. Null where the run does not assume it. */
export function assumed(site: number): Promise<void> | null {
  if (state.assume === null) return null;
  flush();
  return state.assume(siteInfo(site)?.fn ?? '', site);
}

/** What such a function returned: the same, later. */
export function assumedResult<T>(site: number, value: T): T | Promise<unknown> {
  if (!types.isPromise(value)) return value;
  const answered = assumed(site);
  return answered === null ? value : answered.then(() => value);
}
