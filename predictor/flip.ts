/**
 * What an order bug turned round: a failure that no violation explains may rest on two accesses that came in the
 * other order than in the passing run.
 */
import type { AccessPoint } from '../data/prediction.ts';
import { EventKind, type Trace } from '../data/trace.ts';
import { accessPoint } from './cut-point.ts';
import { isUpdate } from './rank.ts';
import { told } from './told.ts';
import { type Transactions, transactions } from './transactions.ts';

/** Two accesses of different tasks to one entity, at least one a write; or two that collided, whatever came naturally. */
export interface Flip {
  readonly entity: string;
  /** Came first in the failing run. */
  readonly first: AccessPoint;
  /** Came first in the passing run. */
  readonly second: AccessPoint;
  /** null, or absent: they came in the other order. */
  readonly collision?: 'cut' | 'late' | null;
}

/** The cause of what the program does in its first turn. */
const BEFORE_ALL = '';
/** So many accesses to one entity before each are compared with it. */
const WINDOW = 40;

/**
 * The most telling flip of `failing` against `passing`, or null. `stack`: of the error of the failing run; `near`: points for what that
 * depends on, by entity.
 */
export function flipOf(
  failing: Trace,
  passing: Trace,
  stack = '',
  near: (entity: string) => number = () => 0,
): Flip | null {
  const isTold = told(failing, stack);
  const usual = new Map<string, number>();
  for (const access of accessesOf(passing))
    for (const key of keysOf(passing, access)) usual.set(key, access.event);
  const tx = transactions(failing.activations);
  const before = new Map<number, { event: number; point: AccessPoint; at: number; cause: string }[]>();
  let best: Flip | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (const access of accessesOf(failing)) {
    const { event, point, cause } = access;
    const at = keysOf(failing, access)
      .map((key) => usual.get(key))
      .find((found) => found !== undefined);
    if (at === undefined) continue;
    const entity = failing.events.object[event] as number;
    const earlier = before.get(entity) ?? [];
    for (const other of earlier.slice(-WINDOW)) {
      // Several objects may have one name: what came of one of them says nothing of another.
      if (passing.events.object[other.at] !== passing.events.object[at]) continue;
      // What runs before anything is answered has one order; such accesses were taken for others of their kind.
      if (other.cause === BEFORE_ALL && cause === BEFORE_ALL) continue;
      if (other.at <= at || (other.point.access === 'read' && point.access === 'read')) continue;
      if (!apart(failing, tx, other.event, event)) continue;
      const score =
        worth(failing, entity, other.point, event - other.event) +
        near(failing.entities[entity]!.name) +
        (isTold(other.event) || isTold(event) ? 3 : 0) -
        (isUpdate(failing, other.event) && isUpdate(failing, event) ? 3 : 0);
      if (score <= most) continue;
      most = score;
      best = { entity: failing.entities[entity]!.name, first: other.point, second: point };
    }
    before.set(entity, [...earlier, { event, point, at, cause }]);
  }
  return best;
}

interface ObservedAccess {
  readonly event: number;
  readonly point: AccessPoint;
  /** The answer in whose turn it was, or the request of the host that made it. */
  readonly cause: string;
  /** How many like it that had, of whichever object of the name. */
  readonly nth: number;
  /** How many like it its activation had. */
  readonly ordinal: number;
}

function* accessesOf(trace: Trace): Generator<ObservedAccess> {
  const { kind, object, site, length } = trace.events;
  let cause = BEFORE_ALL;
  let like = new Map<string, number>();
  const own = new Map<string, number>();
  for (let event = 0; event < length; event++) {
    const of = kind[event];
    if (of === EventKind.Turn || of === EventKind.Effect) {
      cause = trace.requests[object[event] as number]?.name ?? '';
      like = new Map();
    }
    if ((of !== EventKind.Read && of !== EventKind.Write) || (site[event] as number) < 0) continue;
    const point = accessPoint(trace, event);
    const key = `${trace.entities[object[event] as number]?.name} ${site[event]} ${of}`;
    const nth = counted(like, key);
    yield { event, point, cause, nth, ordinal: counted(own, `${point.path} ${key}`) };
  }
}

/** How many of `key` there were before. */
function counted(counts: Map<string, number>, key: string): number {
  const before = counts.get(key) ?? 0;
  counts.set(key, before + 1);
  return before;
}

/**
 * The same in two runs: in the turn of the same answer, or else by the same activation. Calls of one handler are
 * counted as they come, so that the answer tells better which is which.
 */
function keysOf(
  trace: Trace,
  { event, point: { at, path, access }, cause, nth, ordinal }: ObservedAccess,
): string[] {
  const what = [trace.entities[trace.events.object[event] as number]?.name, at, access].join('|');
  return [`${what}|in ${cause}|${nth}`, `${what}|by ${path}|${ordinal}`];
}

function apart(trace: Trace, tx: Transactions, a: number, b: number): boolean {
  const strand = (event: number): number => tx.strandOf(trace.events.activation[event] as number);
  return strand(a) !== strand(b);
}

/** What files hold and what the program keeps says more than names; a read that came too early more than two writes. */
function worth(trace: Trace, entity: number, first: AccessPoint, distance: number): number {
  const { name, kind } = trace.entities[entity]!;
  const what = kind !== 'resource' ? 4 : name.endsWith('(content)') ? 5 : name.endsWith('(entries)') ? -4 : 0;
  return what + (first.access === 'read' ? 2 : 0) - distance / (distance + 100);
}
