/**
 * Orders that tear two elements of one array of shared memory which a thread writes one behind the other, in one turn, while another one
 * reads both, or the other way round: half of the change is seen. Each element by itself shows nothing, for its accesses have a serial
 * order (the violations of two variables of Vaziri, Tip and Dolby, POPL 2006). The run as it was, with the thread stopped between its two
 * accesses until the other one has come to both.
 */
import { isAccess, Op, type ThreadTrace } from '../../data/threads/trace.ts';
import type { Occurrence } from './occurrences.ts';
import { type TurnedRound, withoutFrom } from './turned-round.ts';

/** Event indices. */
interface ElementPair {
  readonly one: number;
  readonly two: number;
}

/** So many orders are tried, and so many pairs of others behind one are compared with it. */
const MOST = 20;
const NEAREST = 8;

/** In the order of the run; one for each two pairs of places. */
export function tornPairs(trace: ThreadTrace): TurnedRound[] {
  const { object, op, point, thread } = trace.events;
  const found = new Map<string, TurnedRound>();
  const pairs = elementPairs(trace);
  const keyOf = ({ one, two }: ElementPair): string =>
    [one, two]
      .map((at) => object[at])
      .sort()
      .join(' ');
  const alike = Map.groupBy(pairs, keyOf);
  for (const pair of pairs) {
    const later = alike
      .get(keyOf(pair))!
      .filter(
        (other) =>
          other.one > pair.two && thread[other.one] !== thread[pair.one] && op[other.one] !== op[pair.one],
      );
    for (const other of later.slice(0, NEAREST)) {
      const key = [pair, other].flatMap(({ one, two }) => [point[one], point[two]]).join(' ');
      const schedule = found.has(key) ? null : withoutFrom(trace, pair.two, other.two);
      if (!schedule) continue;
      // What the stopped thread does next ends the order.
      const order = [...schedule, pair.two];
      found.set(key, { entity: object[pair.two]!, remote: other.two, second: pair.two, schedule: order });
      if (found.size === MOST) return [...found.values()];
    }
  }
  return [...found.values()];
}

/** What a run shows of the same: the other thread came to both elements between the two accesses. */
export interface TornPair extends Occurrence<'WRW' | 'RWR'> {
  /** The element of `second`, and what the other thread did to it. */
  readonly other: { readonly entity: number; readonly remote: number };
}

/** Those of `failing` that `natural` does not show. */
export function tornOnlyBy(failing: ThreadTrace, natural: ThreadTrace): TornPair[] {
  const nameOf = ({ events, names }: ThreadTrace, { first, other, remote, second }: TornPair): string =>
    [first, remote, other.remote, second]
      .flatMap((at) => [
        names.threads[events.thread[at]!],
        names.points[events.point[at]!],
        names.entities[events.object[at]!],
      ])
      .join('\n');
  const usual = new Set(tornIn(natural).map((pair) => nameOf(natural, pair)));
  return tornIn(failing).filter((pair) => !usual.has(nameOf(failing, pair)));
}

function tornIn(trace: ThreadTrace): TornPair[] {
  const { object, op, thread } = trace.events;
  const pairs = elementPairs(trace);
  return pairs.flatMap(({ one, two }) =>
    pairs.flatMap((other): TornPair[] => {
      const isBetween = one < other.one && other.two < two;
      if (!isBetween || thread[other.one] === thread[one] || op[other.one] === op[one]) return [];
      const theirs = [other.one, other.two];
      const remote = theirs.find((at) => object[at] === object[one]);
      const last = theirs.find((at) => object[at] === object[two]);
      if (remote === undefined || last === undefined) return [];
      const pattern = op[one] === Op.Write ? 'WRW' : 'RWR';
      return [
        {
          pattern,
          entity: object[one]!,
          first: one,
          remote,
          second: two,
          other: { entity: object[two]!, remote: last },
        },
      ];
    }),
  );
}

/** Two accesses of one thread and one kind to two elements of one array, one behind the other. */
function elementPairs({ events, names }: ThreadTrace): ElementPair[] {
  const { length, object, op, thread } = events;
  const arrayOf = names.entities.map((name) =>
    name.endsWith(']') ? name.slice(0, name.lastIndexOf('[')) : null,
  );
  const last = new Map<number, number>();
  const found: ElementPair[] = [];
  for (let at = 0; at < length; at++) {
    const by = thread[at]!;
    // Another turn, or something that others may wait for.
    if (op[at] === Op.Send || op[at] === Op.Receive || op[at] === Op.Release) last.delete(by);
    if (!isAccess(op[at]!)) continue;
    const array = arrayOf[object[at]!] ?? null;
    const one = last.get(by);
    if (array === null) continue;
    if (
      one !== undefined &&
      op[one] === op[at] &&
      object[one] !== object[at] &&
      arrayOf[object[one]!] === array
    )
      found.push({ one, two: at });
    last.set(by, at);
  }
  return found;
}
