/**
 * The fix check: if the accesses that a report names are the defect, then no order fails in which their spans
 * are kept whole. Otherwise they are bystanders.
 */
import type { CutPoint } from '../../data/prediction.ts';
import type { RunResult, StrategySpec } from '../../data/run.ts';

export interface FixCheck {
  /** Of so many failing orders so many pass when the spans are kept whole. */
  readonly ok: number;
  readonly of: number;
  /** The entity whose spans were kept whole. */
  readonly entity: string;
}

/** Entities are tried in this number at most. */
const MAX_ENTITIES = 4;

/**
 * Tries the entities of `points` in their order until keeping the spans of one whole lets all of the failing
 * orders pass; the first one's result where none does, null where there is nothing to try. A span of the entity
 * is one of any of the `known` cut points: the same defect seen from the other task is the same fix. Once it `isOver`
 * no further run begins, and the orders that were tried are those that count.
 */
export async function checkFix(
  points: readonly CutPoint[],
  known: readonly CutPoint[],
  orders: readonly (readonly string[])[],
  run: (spec: StrategySpec) => Promise<RunResult>,
  isOver: () => boolean = () => false,
): Promise<FixCheck | null> {
  let first: FixCheck | null = null;
  for (const entity of [...new Set(points.map((p) => p.entity))].slice(0, MAX_ENTITIES)) {
    const cutPoints = [...points, ...known].filter((p) => p.entity === entity);
    let ok = 0;
    let of = 0;
    for (const steps of orders) {
      if (isOver()) break;
      const { outcome, followed } = await run({ kind: 'atomic', steps, cutPoints });
      // A span that could not be kept whole says nothing.
      if (outcome !== 'pass' && followed === 'diverged') continue;
      of += 1;
      if (outcome === 'pass') ok += 1;
    }
    if (of === 0) continue;
    const check = { ok, of, entity };
    if (ok === of) return check;
    first ??= check;
  }
  return first;
}
