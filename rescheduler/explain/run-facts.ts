/** What two runs of a test, one of which fails, say of its timers. */
import { deliveryOf, isDelivery, requestOf } from '../../data/schedule-step.ts';
import { isBesideTest } from '../../data/test-files.ts';
import { EventKind, type Request, type Trace } from '../../data/trace.ts';

/** Timers that go off in the failing order and not in the natural one. */
export function neverOver(natural: Trace, failing: Trace): ReadonlySet<string> {
  const usual = new Set(natural.steps);
  const timers = new Set(failing.requests.flatMap(({ kind, name }) => (kind === 'timer' ? [name] : [])));
  const isNew = (step: string): boolean =>
    isDelivery(step) && !usual.has(step) && timers.has(requestOf(step));
  return new Set(failing.steps.filter(isNew).map(requestOf));
}

export const timersOf = (
  traces: readonly Trace[],
  isMeant: (timer: Request) => boolean,
): ReadonlySet<string> =>
  new Set(
    traces.flatMap(({ requests }) =>
      requests.flatMap((each) => (each.kind === 'timer' && isMeant(each) ? [each.name] : [])),
    ),
  );

export const delaysOf = (timers: ReadonlySet<string>, { requests }: Trace): number[] =>
  requests.filter(({ name }) => timers.has(name)).map(({ delay }) => delay);

/** A lock that was asked for was never given. */
export function waitsForLock({ events }: Trace): boolean {
  const times = (kind: EventKind): number =>
    events.kind.reduce((sum, each) => sum + Number(each === kind), 0);
  return times(EventKind.Wait) > times(EventKind.Acquire);
}

/** Whether a timer is over in one of two runs and cleared in the other. A latency is waited for in both. */
export const isTimeOutIn = (traces: readonly Trace[], timer: string): boolean =>
  traces.some(({ requests }) => requests.some(({ name, takenBack }) => name === timer && takenBack >= 0)) &&
  traces.some(({ steps }) => steps.includes(deliveryOf(timer)));

/**
 * Names of the timers behind which anything of the code under test runs: in their turns, or in what follows from these. All at once: a
 * run that goes round has thousands. `file`: of the test.
 */
export function enteringProduct({ events, requests, sites }: Trace, file: string): ReadonlySet<string> {
  const isProduct = sites.map((site) => !isBesideTest(site.file, file));
  /** By request, the one in whose turn it was made. */
  const causes = new Map<Request, Request>();
  const entering = new Set<Request>();
  let turn: Request | null = null;
  let effect: Request | null = null;
  for (let i = 0; i < events.length; i++) {
    const kind = events.kind[i];
    const request = requests[events.object[i] as number] ?? null;
    if (kind === EventKind.Effect) effect = request;
    else if (kind !== EventKind.Read && kind !== EventKind.Write) effect = null;
    if (kind === EventKind.Turn) turn = request;
    if (kind === EventKind.Issue && turn && request) causes.set(request, turn);
    if (isProduct[events.site[i] as number] !== true) continue;
    for (let at = effect ?? turn; at && !entering.has(at); at = causes.get(at) ?? null) entering.add(at);
  }
  return new Set([...entering].map(({ name }) => name));
}

/**
 * The latest time at which the tests have begun something in the code under test, -1: never. If they hang, it is not for what a timer
 * has ended that went off before. `file`: of the test.
 */
export function lastBeginning({ activations, events, sites }: Trace, file: string): number {
  const isTest = sites.map((site) => isBesideTest(site.file, file));
  const begun = new Map<number, number>();
  let last = -1;
  for (let i = 0; i < events.length; i++) {
    const id = events.activation[i] as number;
    if (!begun.has(id)) begun.set(id, i);
    if (isTest[events.site[i] as number] !== false) continue;
    for (let at = activations[id]; at && (begun.get(at.id) ?? -1) > last; at = activations[at.parent]) {
      const caller = activations[at.parent];
      const byTest = caller?.kind === 'root' || isTest[caller?.site ?? -1] === true;
      if ((at.kind === 'sync' || at.kind === 'async') && byTest) last = begun.get(at.id)!;
    }
  }
  return last;
}

/** By timer, the time at which it went off first. */
export function firings({ events, requests }: Trace): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (let i = 0; i < events.length; i++) {
    const name = events.kind[i] === EventKind.Turn ? requests[events.object[i] as number]?.name : undefined;
    if (name !== undefined && !found.has(name)) found.set(name, i);
  }
  return found;
}

/**
 * Whether a list that the tests have made, and that only they fill, was filled by the same functions in another order. `file`: of
 * the test.
 */
export function fillsInAnotherOrder(natural: Trace, failing: Trace, file: string): boolean {
  const [usual, lists] = [listsOfTests(natural, file), listsOfTests(failing, file)];
  return [...lists].some(([name, by]) => {
    const before = usual.get(name) ?? [];
    return before.join() !== by.join() && before.toSorted().join() === by.toSorted().join();
  });
}

/** A list as it is called: where it was made. */
const LIST = /^(Array@(.+):\d+)\[\d+\]$/;

/** By list, the paths of who filled it, in order. */
function listsOfTests({ activations, entities, events, sites }: Trace, file: string): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  const others = new Set<string>();
  for (let i = 0; i < events.length; i++) {
    if (events.kind[i] !== EventKind.Write) continue;
    const [, list, madeIn = ''] = LIST.exec(entities[events.object[i] as number]?.name ?? '') ?? [];
    if (list === undefined) continue;
    const writer = sites[events.site[i] as number];
    if (!isBesideTest(madeIn, file) || !writer || !isBesideTest(writer.file, file)) others.add(list);
    const by = lists.get(list) ?? [];
    lists.set(list, by);
    by.push(activations[events.activation[i] as number]?.path ?? '');
  }
  for (const list of others) lists.delete(list);
  return lists;
}
