/** Hook of calls of the host. */
import { state } from './state.ts';

/** The last argument of a call of the host at `site`, or nothing where it has none. */
export function h<T>(site: number, argument?: T): T {
  state.hostCall = site;
  return argument as T;
}
