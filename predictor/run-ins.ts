/**
 * Where what goes on behind a timer runs into an operation: it changes state of the program that the operation uses afterwards, which
 * had begun before, or for which the timer was the time-out. Only what the code under test does itself counts, whoever asked for it.
 */
import { type Activation, type Condition, EventKind, type Site, type Trace } from '../data/trace.ts';
import { followsOf, mainOf } from './own-timers.ts';
import { transactions } from './transactions.ts';

export interface RunIn {
  readonly entity: string;
  /** The access behind the timer, and the later one of the operation: events of the run. */
  readonly change: number;
  readonly use: number;
  /** The operation had begun when the timer fired. */
  readonly hadBegun: boolean;
  /** It belongs to the operation that set the timer. */
  readonly isGuarded: boolean;
  /** The operation, by the path of what runs on its own. */
  readonly operation: string;
}

/** What is known of the places of a program. */
export interface Places {
  /** Of the code under test, no matter who calls it. */
  isProduct(site: Site): boolean;
  /** What is read there is closed at once, as by `this.out.end()`: nobody can use it afterwards, though nothing is written. */
  isClosing(site: Site): boolean;
}

/** Every later use once, with the last change before it. `timer`: by name. */
export function runIns(trace: Trace, timer: string, { isProduct, isClosing }: Places): RunIn[] {
  const { activations, entities, events, requests, sites } = trace;
  const request = requests.find(({ name }) => name === timer);
  if (!request) return [];
  const main = mainOf(trace, isProduct);
  const { common, strandOf } = transactions(activations);
  const follows = followsOf(trace, request);
  const own = sites.map((site) => isProduct(site));
  // The only thing that the test does may be taken for a part of its body, though what does it is code under test.
  const isBody = ({ id, kind, site }: Activation): boolean => kind === 'root' || (main.has(id) && !own[site]);
  const begun = new Set<number>();
  /** By entity. */
  const changes = new Map<number, number>();
  const found: RunIn[] = [];
  let fired = false;
  for (let i = 0; i < (trace.settled ?? events.length); i++) {
    const [kind, object] = [events.kind[i], events.object[i] as number];
    const activation = events.activation[i] as number;
    if (kind === EventKind.Turn) fired ||= object === request.id;
    if (!fired) begun.add(activation);
    if ((kind !== EventKind.Read && kind !== EventKind.Write) || entities[object]?.kind === 'resource')
      continue;
    const site = events.site[i] as number;
    if (!own[site] || isBody(activations[activation] as Activation)) continue;
    const changed = changes.get(object);
    if (follows[i]) {
      if (kind === EventKind.Write || isClosing(sites[site] as Site)) changes.set(object, i);
    } else if (changed !== undefined)
      found.push({
        entity: entities[object]?.name ?? '',
        change: changed,
        use: i,
        hadBegun: begun.has(activation),
        isGuarded: common(request.activation, activation) >= 0,
        operation: activations[strandOf(activation)]?.path ?? '',
      });
  }
  return found;
}

/** The operations, by path, that the body of the test waits for by itself. */
export function awaitedByTest(trace: Trace, { isProduct }: Pick<Places, 'isProduct'>): ReadonlySet<string> {
  const { activations, conditions, jobs } = trace;
  const main = mainOf(trace, isProduct);
  const { strandOf } = transactions(activations);
  const found = new Set<string>();
  const look = (condition: Condition | undefined): void => {
    if (condition?.kind === 'all' || condition?.kind === 'any')
      for (const of of condition.of) look(conditions[of]);
    else if (condition?.kind === 'job')
      found.add(activations[strandOf(jobs[condition.job]?.activation ?? 0)]?.path ?? '');
  };
  for (const { activation, condition } of jobs) if (main.has(activation)) look(conditions[condition]);
  return found;
}
