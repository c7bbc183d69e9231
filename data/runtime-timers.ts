/** Timers that nobody has asked for. */
import type { Request, Trace } from './trace.ts';

/** The clock of the built-in fetch, ms. */
const FETCH_CLOCK_MS = 499;

/** The clock by which the built-in fetch looks after its connections: when it goes off there is nothing to see. */
export const isClockOfFetch = ({ kind, ref, delay }: Request): boolean =>
  kind === 'timer' && !ref && delay === FETCH_CLOCK_MS;

/** So long the built-in fetch waits for an answer before it gives up. */
const FETCH_PATIENCE_MS = 300_000;

/** Whether the built-in fetch waited in vain, for as long as it does: where a server never answers a test hangs until then. */
export const isGivenUpByFetch = ({ requests }: Pick<Trace, 'requests'>): boolean =>
  requests.filter(isClockOfFetch).length >= Math.floor(FETCH_PATIENCE_MS / (FETCH_CLOCK_MS + 1));

/** A timer that Node or the built-in fetch set for themselves: nobody can do anything about it. */
export const isOfRuntime = (request: Request): boolean =>
  (request.kind === 'timer' && request.site < 0) || isClockOfFetch(request);
