/** Timers that nobody has asked for. */
import type { Request } from './trace.ts';

/** The clock of the built-in fetch, ms. */
const FETCH_CLOCK_MS = 499;

/** The clock by which the built-in fetch looks after its connections: when it goes off there is nothing to see. */
export const isClockOfFetch = ({ kind, ref, delay }: Request): boolean =>
  kind === 'timer' && !ref && delay === FETCH_CLOCK_MS;

/** A timer that Node or the built-in fetch set for themselves: nobody can do anything about it. */
export const isOfRuntime = (request: Request): boolean =>
  (request.kind === 'timer' && request.site < 0) || isClockOfFetch(request);
