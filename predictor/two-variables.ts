/**
 * Violations of two variables that have to agree: one task touches the first, another one touches both within a turn, and then the
 * first task comes to the second. Each variable by itself shows nothing (half a transfer is seen, a total without its entry).
 */
import type { CutPoint } from '../data/prediction.ts';
import { EventKind, type Trace } from '../data/trace.ts';
import { type Candidate, sharedAccesses } from './candidates.ts';
import { accessPoint, cutPointOf, hash } from './cut-point.ts';
import { lockStates } from './locksets.ts';
import { FREE, rank } from './rank.ts';
import { type Transactions, transactions } from './transactions.ts';

/** So many accesses to one variable are looked through for the nearest one of another task. */
const WINDOW = 40;
/** So many variables of one turn are compared with each other. */
const MOST_OF_TURN = 30;

/** A triple whose `second` is about `other`, which the remote task accesses at `also`. */
interface PairCandidate extends Candidate {
  readonly other: number;
  readonly also: number;
}

/**
 * Of each two variables the most telling violation that `failing` shows and `passing` does not, best first; those of which the error
 * tells (`told`) before others.
 */
export function pairViolations(
  failing: Trace,
  passing: Trace,
  told: (event: number) => boolean = () => false,
): CutPoint[] {
  const usual = new Set(violations(passing).map((pair) => placesOf(passing, pair)));
  const best = new Map<string, { pair: PairCandidate; score: number; reasons: readonly string[] }>();
  for (const pair of violations(failing)) {
    if (usual.has(placesOf(failing, pair))) continue;
    const { score, reasons } = rankOf(failing, pair);
    const both = [pair.entity, pair.other].sort((a, b) => a - b).join(' ');
    if (score > (best.get(both)?.score ?? Number.NEGATIVE_INFINITY)) best.set(both, { pair, score, reasons });
  }
  const tx = transactions(failing.activations);
  const locksAt = lockStates(failing, (a) => tx.taskOf(a));
  const isTold = ({ first, remote, also, second }: PairCandidate): number =>
    Number([first, remote, also, second].some(told));
  return [...best.values()]
    .sort((a, b) => isTold(b.pair) - isTold(a.pair) || b.score - a.score)
    .map(({ pair, score, reasons }) => {
      const point = cutPointOf(failing, locksAt, pair, score, reasons);
      const remote = accessPoint(failing, pair.also);
      const other = { entity: nameOf(failing, pair.other), remote };
      return { ...point, id: hash([point.id, other.entity, remote.at]), other };
    });
}

const nameOf = (trace: Trace, entity: number): string => trace.entities[entity]?.name ?? '?';

/** What the remote task does to a variable in one turn: its first read and its first write there. */
interface Touched {
  readonly entity: number;
  readonly read: number;
  readonly write: number;
}

function violations(trace: Trace): PairCandidate[] {
  const { events } = trace;
  const tx = transactions(trace.activations);
  const byEntity = new Map(
    sharedAccesses(trace, tx).map((accesses) => [events.object[accesses[0]!] as number, accesses]),
  );
  return [...turns(trace, tx, byEntity)].flatMap((touched) => inTurn(trace, tx, byEntity, touched));
}

/** What each strand touches within a turn, where that is more than one variable. */
function* turns(
  { events }: Trace,
  tx: Transactions,
  shared: ReadonlyMap<number, unknown>,
): Generator<Touched[]> {
  let strands = new Map<number, Map<number, Touched>>();
  for (let event = 0; event <= events.length; event++) {
    const kind = events.kind[event];
    if (event === events.length || kind === EventKind.Turn) {
      for (const touched of strands.values()) if (touched.size > 1) yield [...touched.values()];
      strands = new Map();
    }
    if (kind !== EventKind.Read && kind !== EventKind.Write) continue;
    const entity = events.object[event] as number;
    if ((events.site[event] as number) < 0 || !shared.has(entity)) continue;
    const strand = tx.strandOf(events.activation[event] as number);
    let touched = strands.get(strand);
    if (!touched) strands.set(strand, (touched = new Map()));
    const known = touched.get(entity) ?? { entity, read: -1, write: -1 };
    const which = kind === EventKind.Read ? 'read' : 'write';
    if (known[which] < 0) touched.set(entity, { ...known, [which]: event });
  }
}

/** Both writes, or a read that has a write on both sides of it, or the other way round: each of one kind for both variables. */
const SHAPES = [
  { pattern: 'WRW', own: EventKind.Write, remote: 'read' },
  { pattern: 'RWR', own: EventKind.Read, remote: 'write' },
  { pattern: 'WWW', own: EventKind.Write, remote: 'write' },
] as const;

function inTurn(
  trace: Trace,
  tx: Transactions,
  byEntity: ReadonlyMap<number, readonly number[]>,
  touched: readonly Touched[],
): PairCandidate[] {
  const { activation, kind } = trace.events;
  const found: PairCandidate[] = [];
  for (const { pattern, own, remote: which } of SHAPES) {
    const there = touched.filter((each) => each[which] >= 0).slice(0, MOST_OF_TURN);
    /** The nearest access of each other strand on one side. */
    const nearest = (entity: number, remote: number, side: -1 | 1): number[] => {
      const all = byEntity.get(entity)!;
      const strand = tx.strandOf(activation[remote] as number);
      const seen = new Set([strand]);
      const at = all.indexOf(remote);
      const near: number[] = [];
      // Of very many accesses not all are looked at.
      if (at < 0) return near;
      for (let i = at + side, steps = 0; i >= 0 && i < all.length && steps < WINDOW; i += side, steps++) {
        const event = all[i]!;
        const by = tx.strandOf(activation[event] as number);
        if (seen.has(by) || kind[event] !== own) continue;
        seen.add(by);
        near.push(event);
      }
      return near;
    };
    const before = there.map((each) => ({ each, near: nearest(each.entity, each[which], -1) }));
    const behind = there.map((each) => ({ each, near: nearest(each.entity, each[which], 1) }));
    for (const { each: one, near: firsts } of before)
      for (const { each: two, near: seconds } of behind) {
        if (one.entity === two.entity) continue;
        for (const first of firsts)
          for (const second of seconds) {
            const transaction = tx.common(activation[first] as number, activation[second] as number);
            const [remote, also] = [one[which], two[which]];
            if (transaction < 0 || tx.within(activation[remote] as number, transaction)) continue;
            if (also < first || second < remote) continue;
            const triple = { pattern, entity: one.entity, first, remote, second, transaction, group: '' };
            found.push({ ...triple, other: two.entity, also });
          }
      }
  }
  return found;
}

/** Two fields of one object, or of objects that one place made, are more likely to have to agree. */
const KIN = 2;

function rankOf(trace: Trace, pair: PairCandidate) {
  const { score, reasons } = rank(trace, pair, FREE);
  const ofResource = trace.entities[pair.other]?.kind === 'resource' ? -2 : 0;
  const owner = (entity: number): string => nameOf(trace, entity).replace(/[#[(].*$/, '');
  const kin = owner(pair.entity) === owner(pair.other) ? KIN : 0;
  return { score: score + ofResource + kin, reasons };
}

/** Places and paths: comparable between two runs. */
function placesOf(
  trace: Trace,
  { pattern, entity, other, first, remote, also, second }: PairCandidate,
): string {
  const point = (event: number): string => {
    const { at, path } = accessPoint(trace, event);
    return `${at}@${path}`;
  };
  return [
    pattern,
    nameOf(trace, entity),
    nameOf(trace, other),
    ...[first, remote, also, second].map(point),
  ].join('|');
}
