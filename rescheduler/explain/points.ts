/** Which accesses explain a failure, the best first. */
import type { AccessPoint, CutPoint } from '../../data/prediction.ts';
import { isBesideTest } from '../../data/test-files.ts';
import type { Trace } from '../../data/trace.ts';
import { nearness, type Slice, sliceOf } from '../../predictor/depends.ts';
import { explanations, harmIn, patternOf, patternsOf } from '../../predictor/explain.ts';
import { isUnread } from '../../predictor/rank.ts';
import { isThrownAt } from '../../predictor/told.ts';
import type { FixCheck } from '../investigate/fix-check.ts';
import type { Finding } from '../investigate/investigate.ts';
import { statementOf } from './statement.ts';

/** Moves of a predicted order, as a rule. */
const TYPICAL_MOVES = 6;
/** What nobody looks at explains only what nothing else does. */
const UNREAD = 8;
/** Other triples of one defect that are told. */
export const MAX_VARIANTS = 10;

/**
 * The triples that tell the defect, best ranked first: the one that was forced, those whose orders failed
 * alike, and all predicted ones that the failing run shows and the passing one does not. A failure that no
 * prediction led to is explained from its own run.
 */
export function pointsOf(
  { cutPoint: wanted, variants, result }: Finding,
  predicted: readonly CutPoint[],
  natural: Trace,
  failing: Trace | null,
): CutPoint[] {
  if (result.outcome === 'deadlock') return [];
  const shown = failing ? patternsOf(failing) : new Set<string>();
  // A run may fail before it comes to the last access of the triple that was forced: then another one failed it.
  const happened = (c: CutPoint): number => Number(shown.has(patternOf(c)));
  const stack = result.failure?.stack ?? '';
  const slice = failing ? sliceOf(failing, stack, statementOf(stack)) : NOTHING;
  const near = nearness(slice.distances);
  const harm = failing ? harmIn(failing, slice.hops) : () => 0;
  const depends = ({ entity }: CutPoint): number => near(entity);
  const unread = ({ entity }: CutPoint): number => (failing && isUnread(failing, entity) ? UNREAD : 0);
  const best = (points: Iterable<CutPoint>): CutPoint[] =>
    [...points]
      .map((c) => ({ ...c, rank: c.rank + evidence(c, result) + depends(c) }))
      .sort((a, b) => happened(b) - happened(a) || worth(b) - unread(b) - worth(a) + unread(a));
  // What one entity suffers from is what was done to it last before it was looked at.
  const byHarm = (points: CutPoint[]): CutPoint[] => {
    const rest = Map.groupBy(
      points.toSorted((a, b) => happened(b) - happened(a) || (harm(a) === harm(b) ? 0 : harm(a) - harm(b))),
      ({ entity }) => entity,
    );
    return points.map(({ entity }) => rest.get(entity)!.shift()!);
  };
  // What did not happen tells of nothing, nor what nobody looks at, though it was what the order was forced for.
  const isVain = (c: CutPoint): boolean =>
    (failing !== null && isTriple(c) && !happened(c)) || isUnread(failing ?? natural, c.entity);
  // Many connect to a port, which says nothing: of a port that two want the error tells.
  const isBeside = (c: CutPoint): boolean => c.entity.startsWith('port ') && !isNamedBy(result, c.entity);
  const cutPoint = wanted && !isVain(wanted) ? wanted : null;
  const points = new Map(cutPoint ? [[cutPoint.id, cutPoint]] : []);
  if (failing) {
    const usual = patternsOf(natural);
    for (const c of predicted)
      if (shown.has(patternOf(c)) && !usual.has(patternOf(c)) && !isBeside(c)) points.set(c.id, c);
    const cost = { clock: result.requiredStallMs, moves: TYPICAL_MOVES };
    // What was forced is what explains it, unless the failure depends on something else that came about with it.
    for (const c of explanations(failing, natural, cost))
      if (
        !isBeside(c) &&
        (cutPoint === null || (depends(c) && depends(c) >= depends(cutPoint) && !predicts(points, c)))
      )
        points.set(c.id, c);
  }
  // How many variants are known depends on how far the test has come: they never lead, and no table of this order shows what it does
  // not have.
  const isShown = (c: CutPoint): boolean => points.size > 0 || failing === null || !isVain(c);
  const others = variants.filter((c) => !points.has(c.id) && isShown(c) && !isBeside(c));
  return [...byHarm(best(points.values())), ...best(others)].slice(0, MAX_VARIANTS);
}

const NOTHING: Slice = { distances: new Map(), hops: new Map(), writes: 0 };

/** What accesses that belong together, and were interrupted, are about: state that only the code under test changes, or what tests change as well. */
export type Interrupted = 'product' | 'tests';

/**
 * Whether accesses that belong together were interrupted; null: none were. Of a test that hangs no triple is told, and yet a count that
 * was lost may be why it does. `file`: of the test.
 */
export function interruptedIn(
  points: readonly CutPoint[],
  { failure, outcome }: Finding['result'],
  natural: Trace,
  failing: Trace,
  file: string,
): Interrupted | null {
  const isLost = ({ entity, pattern }: CutPoint): boolean => pattern === 'RWW' && !entity.startsWith('fs:');
  const hung = points.length === 0 && outcome === 'deadlock';
  const all = hung ? explanations(failing, natural).filter(isLost) : points;
  return aboutWhat(withoutHelpers(all, failing, failure?.stack ?? '', file), file);
}

/**
 * Without those about what helpers of the tests keep for themselves, on which the failing statement was not seen to depend. Where there is
 * no other file than the test's, nobody knows what is under test.
 */
function withoutHelpers(
  points: readonly CutPoint[],
  failing: Trace,
  stack: string,
  file: string,
): readonly CutPoint[] {
  const isOfTests = (point: CutPoint): boolean => aboutWhat([point], file) === 'tests';
  const hasProduct = failing.sites.some((site) => !isBesideTest(site.file, file));
  if (!hasProduct || !points.some(isOfTests)) return points;
  const { distances } = sliceOf(failing, stack, statementOf(stack));
  const isKnown = [...distances.values()].includes(0);
  return isKnown ? points.filter((point) => distances.has(point.entity) || !isOfTests(point)) : points;
}

/** What the best of them is about; null: there is none. `file`: of the test. */
export function aboutWhat([best]: readonly CutPoint[], file: string): Interrupted | null {
  if (!best) return null;
  // A test may look at anything.
  const isOfProduct = ({ access, at }: AccessPoint): boolean =>
    access === 'read' || !isBesideTest(fileOf(at), file);
  return [best.first, best.remote, best.second].every(isOfProduct) ? 'product' : 'tests';
}

/** `at`: `a.ts:3:4`. */
const fileOf = (at: string): string => at.replace(/:\d+:\d+$/, '');

/** Whether it is one that {@link patternsOf} knows of: not an early read, nor about two variables. */
const isTriple = ({ pattern, other }: CutPoint): boolean => pattern !== 'RRW' && other === undefined;

/** Whether a predicted triple is about the same already. */
const predicts = (points: ReadonlyMap<string, CutPoint>, { entity }: CutPoint): boolean =>
  [...points.values()].some((point) => point.entity === entity);

/** The operation whose own access threw says more of the defect than others on the same entity. */
const THREW = 3;

function evidence({ entity, first, second }: CutPoint, result: Finding['result']): number {
  const threw = [first, second].some(({ at }) => isThrownAt(at, result.failure?.stack ?? ''));
  return threw || isNamedBy(result, entity) ? THREW : 0;
}

/** Whether an error of the host says that it is about this path or port: `EEXIST: file already exists, mkdir '/tmp/a/log'`. */
export function isNamedBy({ failure }: Finding['result'], entity: string): boolean {
  const [, code = '', said = ''] =
    /^(E[A-Z]+): (.*)/.exec(failure?.message.replace(/^listen /, '') ?? '') ?? [];
  if (entity.startsWith('port ')) return code === 'EADDRINUSE';
  const path = /^fs:\*?(.+?)(?: \((?:content|entries)\))?$/.exec(entity)?.[1];
  return code !== '' && path !== undefined && said.includes(`${path}'`);
}

/** How well a triple tells the defect. One call of the host that reads in pieces fails soon, but explains little. */
function worth({ rank, pattern, first, second }: CutPoint): number {
  const inPieces = pattern === 'RWR' && first.request !== null && first.at === second.at;
  return inPieces ? rank - UNLIKELY : rank;
}

/** Accesses whose span may be kept whole without helping are bystanders: they do not lead. */
export function led(points: readonly CutPoint[], fix: FixCheck | null): CutPoint[] {
  const helps = fix !== null && fix.ok === fix.of;
  const after = (c: CutPoint): number => (helps && c.entity === fix.entity ? 0 : 1);
  return [...points].sort((a, b) => after(a) - after(b));
}

/** A triple that ranks so much lower than the best one is no explanation beside it. */
const UNLIKELY = 5;

/**
 * The best triple, which comes first, and those that may explain something beside it: keeping anything whole may let a
 * failing order pass, so that only these may lead. What nobody looks at does not come first, and yet what is less likely by so much
 * explains as little beside it as beside any other.
 */
export function likely(
  points: readonly CutPoint[],
  isUnread: (point: CutPoint) => boolean = () => false,
): CutPoint[] {
  const most = Math.max(...points.filter((c, at) => at === 0 || isUnread(c)).map(worth));
  return points.filter((c) => worth(c) > most - UNLIKELY);
}
