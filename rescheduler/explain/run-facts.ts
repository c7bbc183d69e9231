/** What two runs of a test, one of which fails, say of its timers. */
import { deliveryOf, isDelivery, requestOf } from '../../data/schedule-step.ts';
import { isBesideTest } from '../../data/test-files.ts';
import { EventKind, type Request, type Trace } from '../../data/trace.ts';
import { followsOf } from '../../predictor/own-timers.ts';

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

/** Whether anything of the code under test runs behind a timer. `file`: of the test. */
export function entersProduct(trace: Trace, timer: string, file: string): boolean {
  const { events, requests, sites } = trace;
  const isProduct = sites.map((site) => !isBesideTest(site.file, file));
  const follows = followsOf(
    trace,
    requests.find(({ name }) => name === timer),
  );
  return follows.some((isBehind, i) => isBehind && isProduct[events.site[i] as number] === true);
}

/**
 * Whether the tests begin something in the code under test once a timer has gone off: if they hang then, it is not for what that has
 * ended. `file`: of the test.
 */
export function beginsBehind(trace: Trace, timer: string, file: string): boolean {
  const { activations, events, requests, sites } = trace;
  const isTest = sites.map((site) => isBesideTest(site.file, file));
  /** What had begun before, and what it calls back. */
  const older = new Set<number>();
  let fired = false;
  for (let i = 0; i < events.length; i++) {
    const id = events.activation[i] as number;
    if (events.kind[i] === EventKind.Turn) fired ||= requests[events.object[i] as number]?.name === timer;
    else if (!fired) older.add(id);
    else if (isTest[events.site[i] as number] === false) {
      let at = activations[id];
      while (at && !older.has(at.id)) {
        const caller = activations[at.parent];
        const byTest = caller?.kind === 'root' || isTest[caller?.site ?? -1] === true;
        if ((at.kind === 'sync' || at.kind === 'async') && byTest) return true;
        at = caller;
      }
    }
  }
  return false;
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
const LIST = /^(Array@(.+):\d+(?:~\d+)?)\[\d+\]$/;

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
