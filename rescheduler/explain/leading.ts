/**
 * Which accesses are told of a failure, where several may explain it. That is decided when it is confirmed, by its own order and
 * those that were predicted for these accesses, and not by how many others a search comes to: a bug has one name, whatever the
 * budget is.
 */
import type { CutPoint, Schedule, Shape } from '../../data/prediction.ts';
import type { RunResult, StrategySpec } from '../../data/run.ts';
import type { Trace } from '../../data/trace.ts';
import type { Verdict } from '../../data/verdicts.ts';
import { distances } from '../../predictor/depends.ts';
import { widened } from '../../predictor/explain.ts';
import type { Flip } from '../../predictor/flip.ts';
import { isFolder, isKeptOut, isUnread } from '../../predictor/rank.ts';
import { told } from '../../predictor/told.ts';
import { pairViolations } from '../../predictor/two-variables.ts';
import { clearedBy, suspectsOf } from '../investigate/cleared.ts';
import { sameFailure } from '../investigate/confirm.ts';
import { checkFix, type FixCheck } from '../investigate/fix-check.ts';
import type { Finding } from '../investigate/investigate.ts';
import { provisionalVerdict } from '../investigate/verdict.ts';
import { isNamedBy, led, likely } from './points.ts';
import { statementOf } from './statement.ts';

/** Of each entity so many predicted orders are looked at. */
const MOST_OF_ENTITY = 3;
/** Entities that are compared, and pairs of them. */
const MOST_ENTITIES = 4;

export interface Leading {
  /** The best one first; none where what was read off the failing run explains nothing. */
  readonly points: readonly CutPoint[];
  readonly fix: FixCheck | null;
}

/** What it is decided with. */
export interface Choosing {
  readonly predicted: readonly CutPoint[];
  /** All that were predicted, in the order in which they are forced. */
  readonly schedules: readonly { readonly schedule: Schedule }[];
  /** Two accesses in the other order tell of the failure, too. */
  readonly turned: Flip | null;
  /** Triples that were read off the failing run, as wide as they are there. */
  widen(points: readonly CutPoint[]): readonly CutPoint[];
  /** Triples of two variables that the failing run shows, the best first. */
  pairs(): readonly CutPoint[];
  /** It says only that a lock did what it is there for. */
  keepsOut(point: CutPoint): boolean;
  /** Nobody looks at what it is about. */
  isUnread(point: CutPoint): boolean;
  /** Over how many writes the failure depends on an entity, infinitely many where it was not seen to. */
  distance(entity: string): number;
  run(spec: StrategySpec): Promise<RunResult>;
  isOver(): boolean;
}

/** What a failing run shows beside what was predicted; null: it was not recorded. `stack`: of its error. */
export const readOff = (
  failing: Trace | null,
  natural: Trace,
  stack = '',
): Pick<Choosing, 'widen' | 'pairs' | 'keepsOut' | 'isUnread' | 'distance'> => {
  const far = failing ? distances(failing, stack, statementOf(stack)) : new Map<string, number>();
  return {
    widen: (points) => (failing ? widened(failing, points) : []),
    pairs: () => (failing ? pairViolations(failing, natural, told(failing, stack)) : []),
    keepsOut: (point) => isKeptOut(failing ?? natural, point),
    isUnread: ({ entity }) => failing !== null && isUnread(failing, entity),
    distance: (entity) => far.get(entity) ?? Number.POSITIVE_INFINITY,
  };
};

export async function leadingPoints(
  finding: Finding,
  found: readonly CutPoint[],
  choosing: Choosing,
): Promise<Leading> {
  const ofOne = await ofOneVariable(finding, found, choosing);
  const [best] = ofOne.points;
  const isHeld = best !== undefined && choosing.keepsOut(best);
  if (best && isBeside(best, choosing)) return NONE;
  if (isMended(ofOne.fix) && !isFolder(best!.entity) && !isHeld) return ofOne;
  // It came true as predicted, and nothing speaks against it.
  if (
    finding.cutPoint &&
    best?.entity === finding.cutPoint.entity &&
    !ofOne.fix &&
    !isFolder(best.entity) &&
    !isHeld
  )
    return ofOne;
  const ofTwo = await ofTwoVariables(finding, choosing);
  if (ofTwo) return ofTwo;
  return isHeld && choosing.turned ? NONE : ofOne;
}

/**
 * The failing statement looks at what came in the other order, and does not depend on what the triple is about: as its accesses are those
 * of the same operations, keeping them whole may well mend the failure.
 */
const isBeside = ({ entity }: CutPoint, { turned, distance }: Choosing): boolean =>
  turned !== null && distance(turned.entity) === 0 && distance(entity) === Number.POSITIVE_INFINITY;

const NONE: Leading = { points: [], fix: null };

/** Whether each failing order passes when the span is kept whole. */
export const isMended = (fix: FixCheck | null): fix is FixCheck =>
  fix !== null && fix.of > 0 && fix.ok === fix.of;

/**
 * Two variables are told where one alone explains nothing, or only a folder that others pass through or a lock that was held, and all
 * orders pass when the span from the one to the other is kept whole.
 */
async function ofTwoVariables(finding: Finding, { pairs, run, isOver }: Choosing): Promise<Leading | null> {
  if (finding.result.outcome === 'deadlock') return null;
  for (const point of pairs().slice(0, MOST_ENTITIES)) {
    if (isOver()) break;
    const fix = await checkFix([point], [], finding.orders, run, isOver);
    if (isMended(fix)) return { points: [point], fix };
  }
  return null;
}

async function ofOneVariable(
  finding: Finding,
  found: readonly CutPoint[],
  { isUnread, predicted, schedules, turned, widen, run, isOver }: Choosing,
): Promise<Leading> {
  const all = likely(found, isUnread);
  const read = all.filter((point) => !isUnread(point));
  const candidates = read.length > 0 ? read : all;
  const entities = new Set(candidates.map(({ entity }) => entity).slice(0, MOST_ENTITIES));
  // As it was confirmed, and as it was met.
  const orders = [...finding.orders];
  const judged: { schedule: Schedule; verdict: Verdict }[] = [
    { schedule: finding.schedule, verdict: 'confirmed' },
  ];
  // Of what was predicted and came true there is nothing to choose.
  const isSure = candidates.every(({ entity }) => entity === finding.cutPoint?.entity);
  for (const schedule of isSure ? [] : ownOrders(entities, predicted, schedules)) {
    if (isOver()) break;
    if (schedule.id === finding.schedule.id) continue;
    const cutPoint = predicted.find(({ id }) => id === schedule.cutPoint) ?? null;
    const result = await run({ kind: 'directed', schedule, cutPoint });
    judged.push({ schedule, verdict: provisionalVerdict(result, true) ?? 'confirmed' });
    if (sameFailure(result, finding.result)) orders.push(result.steps);
  }
  const points = suspectsOf(candidates, clearedBy(predicted, judged), turned !== null);
  const fix = await fixOf(finding, points, predicted, orders, { run, isOver });
  // Where nothing was predicted they were only read off the failing run, and go when keeping them whole mends no order at all.
  // One order alone does not speak against what the error itself says that it is about.
  const isThin = orders.length === 1 && points.some(({ entity }) => isNamedBy(finding.result, entity));
  if (finding.cutPoint !== null || isThin) return { points: led(points, fix), fix };
  if (fix?.ok !== 0) return singled(points, fix);
  const wide = widen(points);
  const check = await fixOf(finding, wide, predicted, orders, { run, isOver });
  return check && check.ok > 0 ? singled(wide, check) : NONE;

  /** Of several triples on one entity the first leads that lets all orders pass when it alone is kept whole. */
  async function singled(told: readonly CutPoint[], fix: FixCheck | null): Promise<Leading> {
    const sorted = led(told, fix);
    const alike = sorted.filter(({ entity }) => entity === fix?.entity);
    for (const point of fix && alike.length > 1 ? [...alike, ...widen(alike)] : []) {
      if (isOver()) break;
      const check = await checkFix([point], [], orders, run, isOver);
      if (isMended(check)) return { points: [point, ...sorted.filter((other) => other !== point)], fix };
    }
    return { points: sorted, fix };
  }
}

/** Patterns of one defect, as either task has it: what keeps the one whole keeps the other whole. */
const ONE_DEFECT: readonly (readonly Shape[])[] = [['RWW', 'RRW'], ['RWR', 'WRW'], ['WWR'], ['WWW']];
const defectOf = ({ pattern }: CutPoint): readonly Shape[] =>
  ONE_DEFECT.find((patterns) => patterns.includes(pattern)) ?? [pattern];

/** A file that is written as a whole is written twice by one call. */
const isOneCall = ({ first, second }: CutPoint): boolean => first.at === second.at;

/**
 * What a fix check says of the triple that is told, and not of all that happens to its entity: the first one leads of whose defect
 * alone the spans have to be kept whole. Where none does, the first one with what it mends. Another triple on one entity is another
 * way to tell one bug, so that its name stays.
 */
export async function mending(
  finding: Finding,
  points: readonly CutPoint[],
  known: readonly CutPoint[],
  orders: readonly (readonly string[])[],
  how: Pick<Choosing, 'run' | 'isOver'>,
): Promise<Leading> {
  const [best] = points;
  let first: FixCheck | null = null;
  const tried = new Set<readonly Shape[]>();
  for (const point of points) {
    const defect = defectOf(point);
    if (point.entity !== best?.entity || point.other || tried.has(defect)) continue;
    if (point !== best && isOneCall(point)) continue;
    tried.add(defect);
    // What is kept whole up to an access is that access as well, where it is a call with several effects.
    const ends = [point.first.at, point.second.at];
    const alike = known.filter(
      (other) => defect.includes(other.pattern) || (isOneCall(other) && ends.includes(other.first.at)),
    );
    const fix = await fixOf(finding, [point], alike, orders, how);
    if (isMended(fix)) return { points: [point, ...points.filter((other) => other !== point)], fix };
    first ??= fix;
    if (how.isOver()) break;
  }
  return { points, fix: first };
}

/** The orders that were predicted for triples on these entities. */
function ownOrders(
  entities: ReadonlySet<string>,
  predicted: readonly CutPoint[],
  schedules: Choosing['schedules'],
): Schedule[] {
  return [...entities].flatMap((entity) => {
    const ids = new Set(predicted.filter((point) => point.entity === entity).map(({ id }) => id));
    return schedules
      .map(({ schedule }) => schedule)
      .filter(({ cutPoint }) => cutPoint !== null && ids.has(cutPoint))
      .slice(0, MOST_OF_ENTITY);
  });
}

/** Whether keeping the spans of `points` whole lets failing orders pass; a deadlock is no matter of that. */
export function fixOf(
  { result }: Finding,
  points: readonly CutPoint[],
  known: readonly CutPoint[],
  orders: readonly (readonly string[])[],
  { run, isOver }: Pick<Choosing, 'run' | 'isOver'>,
): Promise<FixCheck | null> {
  if (result.outcome === 'deadlock' || points.length === 0) return Promise.resolve(null);
  return checkFix(points, known, orders, run, isOver);
}
