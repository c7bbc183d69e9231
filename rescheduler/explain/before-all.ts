/**
 * Whether a sleep of the tests goes off before anything has begun that it is to wait for. What the test does then and what it had asked
 * for come one after the other, whole, only in the order that nobody meant: they do not come between each other.
 */
import { isBesideTest } from '../../data/test-files.ts';
import { type Activation, EventKind, type Request, type Trace } from '../../data/trace.ts';
import { followsOf } from '../../predictor/own-timers.ts';

/**
 * The code under test has not run since a timer was set, and as far as it runs behind it, and not because of it, Node calls it for what
 * the tests have sent over a connection: a request that had not arrived. Anything else may go on with what had begun. `file`: of the test.
 */
export function comesBeforeAll(trace: Trace, timer: string, file: string): boolean {
  const { events, requests, sites } = trace;
  const sleep = requests.find(({ name }) => name === timer);
  const isProduct = (site: number): boolean => {
    const of = sites[site]?.file;
    return of !== undefined && !isBesideTest(of, file);
  };
  const arrives = arrivals(trace, isProduct);
  const follows = followsOf(trace, sleep);
  let isSet = false;
  let fired = false;
  for (let i = 0; i < events.length; i++) {
    const kind = events.kind[i];
    const isSleep = events.object[i] === sleep?.id;
    if (kind === EventKind.Issue && isSleep) isSet = true;
    else if (kind === EventKind.Turn && isSleep) fired = true;
    else if (kind !== EventKind.Effect && kind !== EventKind.Turn && isProduct(events.site[i] as number)) {
      if (isSet && !fired) return false;
      if (fired && !follows[i] && !arrives(events.activation[i] as number)) return false;
    }
  }
  return fired;
}

/** Whether Node has called what runs, by itself, for something that the tests have sent. */
function arrivals({ activations, requests, sites }: Trace, isProduct: (site: number) => boolean) {
  const isOfNet = ({ api }: Request): boolean => /^(?:net|dns)\./.test(api);
  const around = (from: number, is: (activation: Activation) => boolean): Activation | undefined => {
    let at = activations[from];
    while (at && !is(at)) at = activations[at.parent];
    return at;
  };
  /** What the first of a chain of answers was asked for by. */
  const firstOf = (cause: number): Request | undefined => {
    const request = requests[cause];
    const outer =
      request && around(request.activation, ({ kind, cause }) => kind === 'callback' && cause >= 0);
    return outer ? firstOf(outer.cause) : request;
  };
  return (activation: number): boolean => {
    const called = around(activation, ({ cause, site }) => cause >= 0 || !isProduct(site));
    const answered = called && requests[called.cause];
    if (!answered || !isOfNet(answered)) return false;
    const first = firstOf(called.cause);
    const isOfProduct = ({ site }: Activation): boolean => isProduct(site);
    return (
      first !== undefined &&
      isOfNet(first) &&
      sites[first.site] !== undefined &&
      !isProduct(first.site) &&
      around(first.activation, isOfProduct) === undefined
    );
  };
}
