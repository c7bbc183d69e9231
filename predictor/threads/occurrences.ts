/**
 * Triples of accesses that could be occurrences of a pattern: two of one transaction to one entity, and one
 * of another thread, in a transaction or not. Other accesses may lie between. A transaction is what stands
 * within an outermost begin and its end; one that the trace leaves open lasts to the trace's end.
 */
import { PATTERNS, type Pattern, type Shape } from '../../data/prediction.ts';
import { isAccess, Op, type ThreadEvents } from '../../data/threads/trace.ts';

/** Event indices. */
export interface Occurrence<S extends Shape = Shape> {
  readonly pattern: S;
  readonly entity: number;
  readonly first: number;
  readonly remote: number;
  readonly second: number;
}

const KNOWN: ReadonlySet<string> = new Set(PATTERNS);
/** The pattern of three accesses; null if some serial order explains them. */
export function patternOf(
  { op }: ThreadEvents,
  first: number,
  remote: number,
  second: number,
): Pattern | null {
  const letter = (event: number): string => (op[event] === Op.Write ? 'W' : 'R');
  const pattern = letter(first) + letter(remote) + letter(second);
  return KNOWN.has(pattern) ? (pattern as Pattern) : null;
}

/** Of each event: the number of its transaction, unique in the trace; -1 outside. Begin and end are inside. */
export function transactionsOf({ length, op, thread }: ThreadEvents): Int32Array {
  const transaction = new Int32Array(length);
  const depth: number[] = [];
  const current: number[] = [];
  let next = 0;
  for (let i = 0; i < length; i++) {
    const t = thread[i]!;
    if (op[i] === Op.Begin && (depth[t] = (depth[t] ?? 0) + 1) === 1) current[t] = next++;
    transaction[i] = (depth[t] ?? 0) > 0 ? current[t]! : -1;
    if (op[i] === Op.End) depth[t] = depth[t]! - 1;
  }
  return transaction;
}

/** All of them, by first, then second, then remote access. */
export function occurrences(events: ThreadEvents): Generator<Occurrence<Pattern>> {
  return triples(events, false);
}

/** Those whose second access is the next read or the next write after the first. */
export function nearOccurrences(events: ThreadEvents): Generator<Occurrence<Pattern>> {
  return triples(events, true);
}

/**
 * Reads by others that were observed after a transaction read and then wrote: moved before the write, they may make
 * their thread take another way, and only then does one of the five patterns come about.
 */
export function* earlyReads(events: ThreadEvents): Generator<Occurrence<'RRW'>> {
  const { op, thread } = events;
  const transaction = transactionsOf(events);
  for (const [entity, accesses] of accessesByEntity(events))
    for (const [at, first] of accesses.entries()) {
      if (op[first] !== Op.Read || transaction[first]! < 0) continue;
      const after = accesses.slice(at + 1);
      const second = after.find((i) => op[i] === Op.Write && transaction[i] === transaction[first]);
      if (second === undefined) continue;
      for (const remote of after)
        if (remote > second && op[remote] === Op.Read && thread[remote] !== thread[first])
          yield { pattern: 'RRW', entity, first, remote, second };
    }
}

/** How many triples {@link nearOccurrences} looks at, at most. */
export function triplesAtMost(events: ThreadEvents): number {
  let total = 0;
  for (const { length } of accessesByEntity(events).values()) total += 2 * length * length;
  return total;
}

function* triples(events: ThreadEvents, near: boolean): Generator<Occurrence<Pattern>> {
  const transaction = transactionsOf(events);
  const byEntity = accessesByEntity(events);
  for (let first = 0; first < events.length; first++) {
    if (!isAccess(events.op[first]!) || transaction[first]! < 0) continue;
    const entity = events.object[first]!;
    const accesses = byEntity.get(entity)!;
    const met = new Set<number>();
    for (const second of accesses) {
      if (second <= first || transaction[second] !== transaction[first]) continue;
      if (near && met.has(events.op[second]!)) continue;
      met.add(events.op[second]!);
      for (const remote of accesses) {
        if (events.thread[remote] === events.thread[first]) continue;
        const pattern = patternOf(events, first, remote, second);
        if (pattern) yield { pattern, entity, first, remote, second };
      }
    }
  }
}

function accessesByEntity({ length, op, object }: ThreadEvents): Map<number, number[]> {
  const byEntity = new Map<number, number[]>();
  for (let i = 0; i < length; i++) {
    if (!isAccess(op[i]!)) continue;
    const list = byEntity.get(object[i]!);
    if (list) list.push(i);
    else byEntity.set(object[i]!, [i]);
  }
  return byEntity;
}
