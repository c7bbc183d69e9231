/**
 * Whether a sleep of the tests goes off before anything has begun that it is to wait for. What the test does then and what it had asked
 * for come one after the other, whole, only in the order that nobody meant: they do not come between each other.
 */
import { isBesideTest } from '../../data/test-files.ts';
import { EventKind, type Trace } from '../../data/trace.ts';
import { followsOf } from '../../predictor/own-timers.ts';

/** Nothing of the code under test is under way as a timer goes off, nor has run since it was set. `file`: of the test. */
export function comesBeforeAll(trace: Trace, timer: string, file: string): boolean {
  const { activations, events, requests, sites } = trace;
  const sleep = requests.find(({ name }) => name === timer);
  const isProduct = (site: number): boolean => {
    const of = sites[site]?.file;
    return of !== undefined && !isBesideTest(of, file);
  };
  const isOfProduct = (id: number): boolean => {
    for (let at = activations[id]; at; at = activations[at.parent]) if (isProduct(at.site)) return true;
    return false;
  };
  const runsProduct = (event: number): boolean =>
    isProduct(events.site[event] as number) ||
    isProduct(activations[events.activation[event] as number]?.site ?? -1);
  const follows = followsOf(trace, sleep);
  const pending = new Set<number>();
  const begun = new Set<number>();
  let set = -1;
  let fired = -1;
  for (let i = 0; i < events.length; i++) {
    const kind = events.kind[i];
    const object = events.object[i] as number;
    const activation = events.activation[i] as number;
    const isHost = kind === EventKind.Effect || kind === EventKind.Turn;
    if (fired < 0) {
      // What is asked for since then none of the code under test asks for: it does not run.
      if (kind === EventKind.Issue && set < 0) pending.add(object);
      if (kind === EventKind.Turn) pending.delete(object);
      if (kind === EventKind.Issue && object === sleep?.id) set = i;
      else if (kind === EventKind.Turn && object === sleep?.id) fired = i;
      else if (set >= 0 && !isHost && isProduct(events.site[i] as number)) return false;
      if (!isHost && runsProduct(i)) begun.add(activation);
    } else if (!follows[i] && !isHost && begun.has(activation) && runsProduct(i)) return false;
  }
  const isUnderWay = (id: number): boolean => {
    const request = requests[id];
    // What keeps no process alive, such as what a server checks every 30 s, is no part of an operation.
    if (!request?.ref) return false;
    const isLeft = request.takenBack < 0 || request.takenBack > fired;
    return isLeft && (isProduct(request.site) || isOfProduct(request.activation));
  };
  return fired >= 0 && ![...pending].some(isUnderWay);
}
