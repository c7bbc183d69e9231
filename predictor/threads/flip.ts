/**
 * What an order bug of threads turned round: two accesses of different threads to one entity, at least one of them a
 * write, that came in the other order than in the passing run. It tells a failure that no pattern of three accesses does.
 */
import { contendedEntities } from '../../data/threads/shared.ts';
import { isAccess, Op, type ThreadTrace } from '../../data/threads/trace.ts';

/** Events of the failing trace: the one that came first there, and the one that naturally comes first. */
export interface ThreadFlip {
  readonly entity: number;
  readonly first: number;
  readonly second: number;
}

/** So many accesses to one entity before each are compared with it. */
const WINDOW = 40;

/**
 * The most telling one, or null: between a read and a write rather than two writes, of data (`isAtomic` says of a point
 * whether it is an operation of `Atomics`, which is how threads agree), near to each other; of equal ones the last, as
 * the first ones are how the threads came there.
 */
export function flipOf(
  failing: ThreadTrace,
  natural: ThreadTrace,
  isAtomic: (point: string) => boolean,
): ThreadFlip | null {
  const usual = new Map<string, number>();
  for (const [event, key] of accessesOf(natural)) usual.set(key, event);
  const { object, op, point, thread } = failing.events;
  const before = new Map<number, { readonly event: number; readonly at: number }[]>();
  let best: ThreadFlip | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (const [event, key] of accessesOf(failing)) {
    const at = usual.get(key);
    if (at === undefined) continue;
    const entity = object[event]!;
    const earlier = before.get(entity) ?? [];
    for (const other of earlier.slice(-WINDOW)) {
      const writes = Number(op[event] === Op.Write) + Number(op[other.event] === Op.Write);
      if (other.at < at || writes === 0 || thread[other.event] === thread[event]) continue;
      const atomic = [event, other.event].filter((each) => isAtomic(failing.names.points[point[each]!]!));
      const score = -4 * atomic.length - 2 * (writes - 1) - (event - other.event) / failing.events.length;
      if (score < most) continue;
      most = score;
      best = { entity, first: other.event, second: event };
    }
    before.set(entity, [...earlier, { event, at }]);
  }
  return best;
}

/** An access of the failing run, and one that naturally comes before it and had not come to pass there. */
export interface MissedWrite {
  /** By name. */
  readonly entity: string;
  /** Event of the failing trace. */
  readonly first: number;
  /** Event of the natural one. */
  readonly missed: number;
}

/**
 * The last read of a failing run that another thread's write naturally comes before, where the run ended before that: who reads
 * half of a file fails at once. null: there is none.
 */
export function missedBy(failing: ThreadTrace, natural: ThreadTrace): MissedWrite | null {
  const usual = new Map([...accessesOf(natural)].map(([event, key]) => [key, event]));
  const accesses = [...accessesOf(failing)];
  const happened = new Set(accesses.map(([, key]) => key));
  const isWrite = ([event]: readonly [number, string]): boolean => natural.events.op[event] === Op.Write;
  const writes = Map.groupBy([...accessesOf(natural)].filter(isWrite), ([event]) => entityAt(natural, event));
  for (const [event, key] of accesses.reverse().slice(0, LAST)) {
    const at = usual.get(key);
    if (at === undefined || failing.events.op[event] !== Op.Read) continue;
    const entity = entityAt(failing, event);
    const thread = threadAt(failing, event);
    const missed = writes
      .get(entity)
      ?.findLast(
        ([write, other]) => write < at && !happened.has(other) && threadAt(natural, write) !== thread,
      );
    if (missed) return { entity, first: event, missed: missed[0] };
  }
  return null;
}

/** A run that fails has looked at what made it fail not long before. */
const LAST = 1000;

const entityAt = ({ events, names }: ThreadTrace, event: number): string =>
  names.entities[events.object[event]!]!;
const threadAt = ({ events, names }: ThreadTrace, event: number): string =>
  names.threads[events.thread[event]!]!;

/** Accesses, each with a key that says which one of its thread it is. */
function* accessesOf({ events, names }: ThreadTrace): Generator<[number, string]> {
  const times = new Map<string, number>();
  for (let event = 0; event < events.length; event++) {
    if (!isAccess(events.op[event]!)) continue;
    const what = JSON.stringify([
      names.threads[events.thread[event]!],
      names.points[events.point[event]!],
      names.entities[events.object[event]!],
      events.op[event],
    ]);
    const nth = times.get(what) ?? 0;
    times.set(what, nth + 1);
    yield [event, `${what} ${nth}`];
  }
}

/**
 * An access that comes before the write of another thread, to what no two threads share in the passing run: the nearest ones. Which of
 * them comes first where it passes nobody knows; it has to be tried.
 */
export function earlyAccess(failing: ThreadTrace, natural: ThreadTrace): ThreadFlip | null {
  const known = new Set(
    [...contendedEntities(natural.events)].map((entity) => natural.names.entities[entity]),
  );
  const { events, names } = failing;
  const fresh = contendedEntities(events);
  const last = new Map<number, number>();
  let best: ThreadFlip | null = null;
  for (let event = 0; event < events.length; event++) {
    const entity = events.object[event]!;
    if (!isAccess(events.op[event]!) || !fresh.has(entity) || known.has(names.entities[entity])) continue;
    const first = last.get(entity);
    last.set(entity, event);
    if (first === undefined || events.op[event] !== Op.Write) continue;
    if (events.thread[first] === events.thread[event]) continue;
    if (!best || event - first < best.second - best.first) best = { entity, first, second: event };
  }
  return best;
}
