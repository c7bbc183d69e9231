/** What cannot explain a failure, because orders that showed it passed. */
import type { CutPoint, Schedule } from '../../data/prediction.ts';
import type { Verdict } from '../../data/verdicts.ts';

/** A schedule with the last word on it; null: it was not run. */
interface Judged {
  readonly schedule: Pick<Schedule, 'cutPoint'>;
  readonly verdict: Verdict | null;
}

/** What the forced runs clear of a failure. */
export interface Cleared {
  /** Ids of the cut points whose own order was followed, showed the triple, and passed. */
  readonly triples: ReadonlySet<string>;
  /** The entities of such triples, as far as no order of their own failed. */
  readonly entities: ReadonlySet<string>;
}

/** A failing run may show what is cleared, too: beside others it does not explain the failure. */
export function clearedBy(cutPoints: readonly CutPoint[], judged: readonly Judged[]): Cleared {
  const ids = (verdict: Verdict): Set<string | null> =>
    new Set(judged.filter((row) => row.verdict === verdict).map(({ schedule }) => schedule.cutPoint));
  const confirmed = ids('confirmed');
  const passed = ids('passed');
  const triples = cutPoints.filter(({ id }) => passed.has(id) && !confirmed.has(id));
  const guilty = new Set(cutPoints.filter(({ id }) => confirmed.has(id)).map(({ entity }) => entity));
  const entities = triples.map(({ entity }) => entity).filter((entity) => !guilty.has(entity));
  return { triples: new Set(triples.map(({ id }) => id)), entities: new Set(entities) };
}

/**
 * What orders that passed leave of the explanations of a failure. Where that is nothing they are all kept, unless each
 * was seen in an order that passed and something else `tells` of the failure.
 */
export function suspectsOf(
  points: readonly CutPoint[],
  { triples, entities }: Cleared,
  tells: boolean,
): readonly CutPoint[] {
  const suspects = points.filter(({ entity }) => !entities.has(entity));
  if (suspects.length > 0) return suspects;
  return tells && points.every(({ id }) => triples.has(id)) ? [] : points;
}
