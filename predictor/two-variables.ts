/**
 * Violations of two variables that have to agree: one task touches the first, another one touches both within a turn, and then the
 * first task comes to the second. Each variable by itself shows nothing (half a transfer is seen, a total without its entry).
 */
import type { CutPoint } from '../data/prediction.ts';
import { EventKind, type Trace } from '../data/trace.ts';
import { type Candidate, sharedAccesses } from './candidates.ts';
import type { Causality } from './causality.ts';
import { accessPoint, cutPointOf, hash } from './cut-point.ts';
import { lockStates } from './locksets.ts';
import type { Program } from './program.ts';
import { FREE, isUnread, rank } from './rank.ts';
import { type Transactions, transactions } from './transactions.ts';

/** So many accesses to one variable are looked through for the nearest one of another task. */
const WINDOW = 40;
/** So many variables of one turn are compared with each other. */
const MOST_OF_TURN = 30;
/** So many pairs of accesses are compared in one run. */
const MOST_COMPARED = 200_000;

/** A triple whose `second` is about another variable. */
type PairCandidate = Candidate & Required<Pick<Candidate, 'other'>>;

/**
 * Of each two variables the most telling violation that `failing` shows and `passing` does not, best first; those of which the error
 * tells (`told`) before others.
 */
export function pairViolations(
  failing: Trace,
  passing: Trace,
  told: (event: number) => boolean = () => false,
): CutPoint[] {
  const usual = new Set(happened(passing).map((pair) => placesOf(passing, pair)));
  const best = new Map<string, { pair: PairCandidate; score: number; reasons: readonly string[] }>();
  for (const pair of happened(failing)) {
    if (usual.has(placesOf(failing, pair))) continue;
    // What nobody looks at need not agree with anything.
    if ([pair.entity, pair.other.entity].some((entity) => isUnread(failing, nameOf(failing, entity))))
      continue;
    const { score, reasons } = rankOf(failing, pair);
    const both = [pair.entity, pair.other.entity].sort((a, b) => a - b).join(' ');
    const known = best.get(both);
    if (!known || score > known.score || (score === known.score && spanOf(pair) < spanOf(known.pair)))
      best.set(both, { pair, score, reasons });
  }
  const tx = transactions(failing.activations);
  const locksAt = lockStates(failing, (a) => tx.taskOf(a));
  const isTold = ({ first, remote, other, second }: PairCandidate): number =>
    Number([first, remote, other.remote, second].some(told));
  return [...best.values()]
    .sort((a, b) => isTold(b.pair) - isTold(a.pair) || b.score - a.score)
    .map(({ pair, score, reasons }) => {
      const point = cutPointOf(failing, locksAt, pair, score, reasons);
      const remote = accessPoint(failing, pair.other.remote);
      const other = { entity: nameOf(failing, pair.other.entity), remote };
      return { ...point, id: hash([point.id, other.entity, remote.at]), other };
    });
}

const nameOf = (trace: Trace, entity: number): string => trace.entities[entity]?.name ?? '?';

/** Those that a run shows. */
const happened = (trace: Trace): PairCandidate[] =>
  pairsIn(trace, transactions(trace.activations))
    .filter(
      ({ first, remote, other, second }) =>
        first < Math.min(remote, other.remote) && Math.max(remote, other.remote) < second,
    )
    .toArray();

const spanOf = ({ first, second }: Candidate): number => second - first;

/** What the remote task does to a variable in one turn: its first read and its first write there. */
interface TurnAccess {
  readonly entity: number;
  readonly read: number;
  readonly write: number;
}

/** So many orders are predicted for two variables. */
const MOST_PREDICTED = 500;

/**
 * What of the same could happen in another order than the recorded one, as far as no `known` triple of one variable asks for that order
 * already. One for each turn of the remote task and two of the other one: which variables they are does not change the order.
 * `isCut`: there may be more, which nobody looked at.
 */
export function pairCandidates(
  { trace, nodeOf }: Program,
  { before, oneTurn }: Causality,
  tx: Transactions,
  known: readonly Candidate[],
): { readonly pairs: PairCandidate[]; readonly isCut: boolean } {
  const { activation } = trace.events;
  const turnOf = turnsBegun(trace);
  const gap = ({ first, remote, second }: Candidate): string =>
    `${nodeOf[first]} ${turnOf[remote]} ${tx.strandOf(activation[remote] as number)} ${nodeOf[second]}`;
  const taken = new Set(known.map(gap));
  const found: PairCandidate[] = [];
  const all = pairsIn(trace, tx);
  let isCut = false;
  for (let next = all.next(); ; next = all.next()) {
    if (next.done) {
      isCut = next.value === CUT;
      break;
    }
    const pair = next.value;
    const { first, remote, second, other } = pair;
    if (found.length >= MOST_PREDICTED) {
      isCut = true;
      break;
    }
    if (first < remote && remote < second) continue;
    const key = gap(pair);
    if (taken.has(key) || oneTurn(first, remote, second)) continue;
    if (!before(first, second) || before(remote, first) || before(second, other.remote)) continue;
    taken.add(key);
    found.push({ ...pair, group: `two ${key}` });
  }
  return { pairs: found, isCut };
}

/** For each event how many turns and effects had begun. */
function turnsBegun({ events }: Trace): Int32Array {
  let turn = 0;
  return Int32Array.from({ length: events.length }, (_, event) => {
    const kind = events.kind[event];
    if (kind === EventKind.Turn || kind === EventKind.Effect) turn += 1;
    return turn;
  });
}

/**
 * Somebody sees both variables: the remote task what was half changed, or the other task half of a change. Writes that nobody reads
 * between say too little of two variables: any two flags that operations set would do.
 */
const KINDS = [
  { pattern: 'WRW', own: EventKind.Write, remote: 'read' },
  { pattern: 'RWR', own: EventKind.Read, remote: 'write' },
] as const;

/** What ends the pairs where there may be more. */
const CUT = 'cut';

/** Two accesses of one transaction, in the order of the run, and a turn of another task, wherever it is, that accesses both variables. */
function* pairsIn(trace: Trace, tx: Transactions): Generator<PairCandidate, typeof CUT | undefined> {
  const { activation, kind, object } = trace.events;
  const byEntity = new Map(sharedAccesses(trace, tx).map((all) => [object[all[0]!] as number, all]));
  /** What others do to a variable, near a remote access to it. */
  const others = (entity: number, remote: number, own: number): number[] => {
    const all = byEntity.get(entity)!;
    const at = all.findIndex((event) => event >= remote);
    const strand = tx.strandOf(activation[remote] as number);
    return all
      .slice(Math.max(0, at - WINDOW), at + WINDOW)
      .filter((event) => kind[event] === own && tx.strandOf(activation[event] as number) !== strand);
  };
  let compared = 0;
  for (const touched of turns(trace, tx, byEntity))
    for (const { pattern, own, remote: which } of KINDS) {
      const there = touched
        .filter((each) => each[which] >= 0)
        .slice(0, MOST_OF_TURN)
        .map((each) => ({
          entity: each.entity,
          at: each[which],
          own: others(each.entity, each[which], own),
        }));
      for (const one of there)
        for (const two of there) {
          if (one.entity === two.entity) continue;
          for (const first of one.own)
            for (const second of two.own) {
              if (++compared > MOST_COMPARED) return CUT;
              if (second < first) continue;
              const transaction = tx.common(activation[first] as number, activation[second] as number);
              if (transaction < 0 || tx.within(activation[one.at] as number, transaction)) continue;
              const other = { entity: two.entity, remote: two.at };
              const { entity, at: remote } = one;
              yield { pattern, entity, first, remote, second, transaction, group: '', other };
            }
        }
    }
  return undefined;
}

/** What each strand touches within a turn, or by one effect, where that is more than one variable. */
function* turns(
  { events }: Trace,
  tx: Transactions,
  shared: ReadonlyMap<number, unknown>,
): Generator<TurnAccess[]> {
  let strands = new Map<number, Map<number, TurnAccess>>();
  for (let event = 0; event <= events.length; event++) {
    const kind = events.kind[event];
    if (event === events.length || kind === EventKind.Turn || kind === EventKind.Effect) {
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

/** Two fields of one object, or of objects that one place made, are more likely to have to agree. */
const KIN = 2;

function rankOf(trace: Trace, pair: PairCandidate) {
  const { score, reasons } = rank(trace, pair, FREE);
  const ofResource = trace.entities[pair.other.entity]?.kind === 'resource' ? -2 : 0;
  const owner = (entity: number): string => nameOf(trace, entity).replace(/[#[(].*$/, '');
  const kin = owner(pair.entity) === owner(pair.other.entity) ? KIN : 0;
  return { score: score + ofResource + kin, reasons };
}

/** Places and paths: comparable between two runs. */
function placesOf(trace: Trace, { pattern, entity, other, first, remote, second }: PairCandidate): string {
  const point = (event: number): string => {
    const { at, path } = accessPoint(trace, event);
    return `${at}@${path}`;
  };
  const names = [entity, other.entity].map((each) => nameOf(trace, each));
  return [pattern, ...names, ...[first, remote, other.remote, second].map(point)].join('|');
}
