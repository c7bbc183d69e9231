/**
 * Whether a sleep of the tests goes off before anything has begun that it is to wait for. What the test does then and what it had asked
 * for come one after the other, whole, only in the order that nobody meant: they do not come between each other.
 */
import { isBesideTest } from '../../data/test-files.ts';
import { type Activation, EventKind, type Request, type Trace } from '../../data/trace.ts';
import { followsOf } from '../../predictor/own-timers.ts';

/**
 * The code under test has not run since a timer was set, and as far as it runs behind it, and not because of it, Node calls it for
 * connections that the tests have asked for: requests that had not arrived. Anything else may go on with what had begun: callbacks,
 * listeners and promises tell nobody whose they are. `file`: of the test.
 */
export function comesBeforeAll(trace: Trace, timer: string, file: string): boolean {
  const { activations, events, requests, sites } = trace;
  const sleep = requests.find(({ name }) => name === timer);
  const isProduct = (site: number): boolean => {
    const of = sites[site]?.file;
    return of !== undefined && !isBesideTest(of, file);
  };
  // Where the code under test stands in the test's own file nobody knows which of it that is.
  if (!sites.some((_, site) => isProduct(site))) return false;
  const isOfTests = connectionsOfTests(trace, isProduct);
  const follows = followsOf(trace, sleep);
  /** Requests that are answered behind the sleep, and the one in whose turn each activation began then. */
  const behind = new Set<number>();
  const began = new Map<number, number>();
  const begunBefore = new Set<number>();
  /** Activations that go on in the turn that is on. */
  const goesOn = new Set<number>();
  let turn = -1;
  let isSet = false;
  let fired = false;

  /** The answer for which Node has called what runs in an activation; -1: somebody else has. */
  const calledFor = (activation: number): number => {
    let at: Activation | undefined = activations[activation];
    let entry: Activation | undefined;
    let isResumed = false;
    for (; at && isProduct(at.site) && at.cause < 0; at = activations[at.parent]) {
      entry = at;
      isResumed ||= at.kind === 'callback' || (goesOn.has(at.id) && begunBefore.has(at.id));
    }
    // A listener that Node calls is told of whoever has set it; what a promise calls back goes on.
    if (entry && begunBefore.has(entry.id)) return isResumed ? -1 : turn;
    if (!at || at.cause < 0) return -1;
    return entry ? (began.get(entry.id) ?? -1) : turn;
  };

  for (let i = 0; i < events.length; i++) {
    const kind = events.kind[i];
    const object = events.object[i] as number;
    const activation = events.activation[i] as number;
    if (kind === EventKind.Turn) {
      turn = object;
      goesOn.clear();
      if (fired) behind.add(turn);
      fired ||= object === sleep?.id;
    } else if (kind === EventKind.Issue && object === sleep?.id) isSet = true;
    if (kind === EventKind.Turn || kind === EventKind.Effect) continue;
    if (kind === EventKind.Job) goesOn.add(activation);
    if (!fired) begunBefore.add(activation);
    else if (!begunBefore.has(activation) && !began.has(activation)) began.set(activation, turn);
    if (!isProduct(events.site[i] as number)) continue;
    if (isSet && !fired) return false;
    if (!fired || follows[i]) continue;
    const answer = calledFor(activation);
    if (!behind.has(answer) || !isOfTests(answer)) return false;
  }
  return fired;
}

/** Whether an answer comes over a connection for which the tests have asked by themselves. */
function connectionsOfTests({ activations, requests, sites }: Trace, isProduct: (site: number) => boolean) {
  const around = (from: number, is: (activation: Activation) => boolean): Activation | undefined => {
    let at = activations[from];
    while (at && !is(at)) at = activations[at.parent];
    return at;
  };
  /** What the chain of answers that led to one began with. */
  const firstOf = (answer: number): Request | undefined => {
    const request = requests[answer];
    const outer =
      request && around(request.activation, ({ kind, cause }) => kind === 'callback' && cause >= 0);
    return outer ? firstOf(outer.cause) : request;
  };
  return (answer: number): boolean => {
    const first = firstOf(answer);
    if (!first || !/^(?:net\.(?:accept|connect)|dns\.)/.test(first.api)) return false;
    if (sites[first.site] === undefined || isProduct(first.site)) return false;
    return around(first.activation, ({ site }) => isProduct(site)) === undefined;
  };
}
