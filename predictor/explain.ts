/**
 * Reads patterns off a run that failed: the triples that really happened in it and did not happen in the
 * passing run. This is how a failure that a random order met gets its entity and its three accesses.
 */
import type { CutPoint } from '../data/prediction.ts';
import { EventKind, type Trace } from '../data/trace.ts';
import { type Candidate, candidates } from './candidates.ts';
import { causality } from './causality.ts';
import { cutPointOf, requestOf } from './cut-point.ts';
import { lockStates } from './locksets.ts';
import { buildProgram } from './program.ts';
import { type Cost, FREE, rank } from './rank.ts';
import { type Transactions, transactions } from './transactions.ts';

/** Entities that may explain one failure. */
const MAX_EXPLANATIONS = 4;

/**
 * The most telling triple of each pattern and entity that `failing` shows and `passing` does not, best first. A read that came
 * too early (RRW) explains only what no violation does. `cost`: what the order took, so that its triples compare
 * with predicted ones.
 */
export function explanations(failing: Trace, passing: Trace, cost: Cost = FREE): CutPoint[] {
  const known = new Set(happened(passing).map(({ candidate }) => pointsOf(passing, candidate)));
  const rows = happened(failing)
    .filter(({ candidate }) => !known.has(pointsOf(failing, candidate)))
    .map((row) => ({ ...row, ranked: rank(failing, row.candidate, cost) }))
    .sort((a, b) => flips(a.candidate) - flips(b.candidate) || b.ranked.score - a.ranked.score);
  const best = new Map<string, (typeof rows)[number]>();
  const entities = new Set<number>();
  for (const row of rows) {
    const { entity, pattern } = row.candidate;
    const key = `${entity} ${pattern}`;
    if (flips(row.candidate) !== flips(rows[0]!.candidate) || best.has(key)) continue;
    if (!entities.has(entity) && entities.size === MAX_EXPLANATIONS) continue;
    entities.add(entity);
    best.set(key, row);
  }
  return [...best.values()].map(({ locksAt, candidate, ranked }) =>
    cutPointOf(failing, locksAt, candidate, ranked.score, ranked.reasons),
  );
}

/**
 * The same triples as wide as they are in the failing run: what is read in pieces, or again, was known from the first time on,
 * and what is written in pieces is written with the last one. Those that are so already are left out.
 */
export function widened(failing: Trace, points: readonly CutPoint[]): CutPoint[] {
  const rows = happened(failing);
  return points.flatMap((point) => {
    const alike = rows.filter(
      ({ candidate: { pattern, remote, second } }) =>
        remote === point.remote.event && second === point.second.event && pattern === point.pattern,
    );
    const widest = alike.sort((a, b) => a.candidate.first - b.candidate.first)[0];
    if (!widest) return [];
    const { first } = widest.candidate;
    const second = lastOfCall(failing, widest.candidate.second);
    if (first === point.first.event && second === point.second.event) return [];
    const candidate = { ...widest.candidate, second };
    return [cutPointOf(failing, widest.locksAt, candidate, point.rank, point.reasons)];
  });
}

/** The last access like this one: of the same call, as far as the trace tells calls apart. */
function lastOfCall({ events }: Trace, event: number): number {
  const { activation, kind, object, site } = events;
  const isLike = (other: number): boolean =>
    [activation, kind, object, site].every((column) => column[other] === column[event]);
  let last = event;
  for (let at = event + 1; at < events.length; at++) if (isLike(at)) last = at;
  return last;
}

/**
 * Every violation that happened in a run, as places and paths: comparable between two runs. `isEach`: also those whose reader finds what its
 * own task has written last, which tell of nothing.
 */
export function patternsOf(trace: Trace, isEach = false): Set<string> {
  const violations = happened(trace, isEach).filter(({ candidate }) => flips(candidate) === 0);
  return new Set(violations.map(({ candidate }) => pointsOf(trace, candidate)));
}

/** The same for a cut point: equal to a member of {@link patternsOf} where a run showed it. */
export function patternOf({ pattern, entity, first, remote, second }: CutPoint): string {
  const point = ({ at, path, request }: CutPoint['first']): string => `${at}@${path}@${request ?? ''}`;
  return [pattern, entity, point(first), point(remote), point(second)].join('|');
}

/**
 * By the places of a triple that happened: over how many writes the failure was traced back to the access in which its harm is done,
 * infinitely many where it was not. One defect may be met by either task. `hops`: see `Slice`.
 */
export function harmIn(trace: Trace, hops: ReadonlyMap<number, number>): (point: CutPoint) => number {
  const found = new Map<string, number>();
  for (const { candidate } of happened(trace)) {
    const { pattern, entity, first, remote, second } = candidate;
    const hop = hops.get(pattern === 'WRW' ? remote : second);
    const at = [first, remote, second].map((event) => placeIn(trace, event));
    const key = [pattern, trace.entities[entity]?.name, ...at].join('|');
    if (hop !== undefined && hop < (found.get(key) ?? FAR)) found.set(key, hop);
  }
  return ({ pattern, entity, first, remote, second }) =>
    found.get([pattern, entity, first.at, remote.at, second.at].join('|')) ?? FAR;
}

const FAR = Number.POSITIVE_INFINITY;

/** Whether a triple of this trace is a pattern of another run, a member of {@link patternsOf}. */
export function isPattern(trace: Trace, pattern: string): (candidate: Candidate) => boolean {
  return (candidate) => pointsOf(trace, candidate) === pattern;
}

function happened(trace: Trace, isEach = false) {
  const program = buildProgram(trace);
  const tx = transactions(trace.activations);
  const locksAt = lockStates(trace, (a) => tx.taskOf(a));
  const ownLast = isEach ? () => false : lastWrites(trace, tx);
  const asksAgain = isEach ? () => false : askedAgain(trace);
  const wanted = (e1: number, f: number, e2: number, pattern: string): boolean =>
    e1 < f &&
    f < e2 &&
    !(pattern.endsWith('WR') && ownLast(e2)) &&
    !(pattern === 'WRW' && ownLast(f)) &&
    !(pattern === 'RWW' && asksAgain(e1, f, e2));
  const { list } = candidates(trace, causality(program).before, tx, wanted);
  return list.map((candidate) => ({ candidate, locksAt }));
}

/** Whether a read finds what its own strand has written last: then nobody came between. */
function lastWrites({ events }: Trace, { strandOf }: Transactions): (read: number) => boolean {
  const { activation, kind, length, object } = events;
  const last = new Map<number, number>();
  const own = new Set<number>();
  for (let event = 0; event < length; event++) {
    const entity = object[event] as number;
    if (kind[event] === EventKind.Write) last.set(entity, event);
    if (kind[event] !== EventKind.Read) continue;
    const write = last.get(entity);
    const strand = (of: number): number => strandOf(activation[of] as number);
    if (write !== undefined && strand(write) === strand(event)) own.add(event);
  }
  return (read) => own.has(read);
}

/**
 * Whether a function looks once more where it has looked at first (`while (!queue.length) await …`), behind the other one and before it
 * acts: it does not act on the old answer. What the host reads for it in pieces is one read.
 */
function askedAgain(trace: Trace): (first: number, remote: number, second: number) => boolean {
  const { activation, kind, length, object, site } = trace.events;
  const reads = new Map<string, number[]>();
  const keyOf = (event: number): string => `${activation[event]} ${site[event]} ${object[event]}`;
  let isOfHost = false;
  for (let event = 0; event < length; event++) {
    if (kind[event] !== EventKind.Read) {
      if (kind[event] !== EventKind.Write) isOfHost = kind[event] === EventKind.Effect;
      continue;
    }
    if (isOfHost) continue;
    const known = reads.get(keyOf(event));
    if (known) known.push(event);
    else reads.set(keyOf(event), [event]);
  }
  return (first, remote, second) =>
    reads.get(keyOf(first))?.some((event) => remote < event && event < second) === true;
}

const flips = ({ pattern }: Candidate): number => Number(pattern === 'RRW');

/** Places and paths of a triple: comparable between two runs. */
function pointsOf(trace: Trace, { first, remote, second, pattern, entity }: Candidate): string {
  const point = (event: number): string => {
    const path = trace.activations[trace.events.activation[event] as number]?.path;
    // One call of the program may be several requests of the host.
    return `${placeIn(trace, event)}@${path}@${requestOf(trace, event) ?? ''}`;
  };
  return [pattern, trace.entities[entity]?.name, point(first), point(remote), point(second)].join('|');
}

function placeIn(trace: Trace, event: number): string {
  const site = trace.sites[trace.events.site[event] as number];
  return `${site?.file}:${site?.line}:${site?.column}`;
}
