/**
 * The minimal form of a failing order: the shortest prefix that still fails when the rest is left to the observed
 * order; then steps are put back to their natural place wherever the failure survives that, many at once before few,
 * and last of all neighbours.
 */
import { longestIncreasing } from '../../data/longest-increasing.ts';

export interface MinimiseBudget {
  readonly runs: number;
  /** None begins later than this, ms. */
  readonly forMs: number;
}

/** Where each run is a process of its own a few take as long as a whole search elsewhere. */
const BUDGET: MinimiseBudget = { runs: 60, forMs: 5000 };

type Check = (steps: readonly string[]) => Promise<boolean>;
type Rank = (step: string) => number;

/**
 * `fails` runs an order (a prefix of steps, the rest in observed order) and says whether it still fails. Returned are the
 * `steps` as given where nothing smaller fails.
 */
export async function minimise(
  steps: readonly string[],
  natural: readonly string[],
  fails: Check,
  { runs: most, forMs }: MinimiseBudget = BUDGET,
): Promise<readonly string[]> {
  let runs = most;
  const end = performance.now() + forMs;
  const isOver = (): boolean => runs <= 0 || performance.now() > end;
  const check: Check = async (candidate) => {
    if (isOver()) return false;
    runs -= 1;
    return fails(candidate);
  };
  const place = new Map<string, number>();
  natural.forEach((name, at) => {
    if (!place.has(name)) place.set(name, at);
  });
  const rank: Rank = (name) => place.get(name) ?? Number.POSITIVE_INFINITY;
  let best: readonly string[] = steps.slice(0, await shortestPrefix(steps, check));
  best = await putBack(best, rank, check);
  best = await swapBack(best, rank, check, isOver);
  // What was put back may have made the end natural again.
  best = best.slice(0, await shortestPrefix(best, check));
  return best.length === steps.length && best.every((step, at) => step === steps[at]) ? steps : best;
}

/** Delta debugging over the steps that moved: halves of them, quarters, and so on, down to single ones. */
async function putBack(steps: readonly string[], rank: Rank, check: Check): Promise<readonly string[]> {
  let best = steps;
  let moved = movedIn(best, rank);
  for (let size = moved.length; size >= 1; size = Math.floor(size / 2)) {
    // From the end: what came last follows from what came before.
    for (let at = moved.length; at > 0; at = Math.min(at - size, moved.length)) {
      const candidate = returned(best, new Set(moved.slice(Math.max(0, at - size), at)), rank);
      if (!(await check(candidate))) continue;
      best = candidate;
      moved = movedIn(best, rank);
    }
  }
  return best;
}

/** Positions of the fewest steps without which the others are in their natural order. */
function movedIn(steps: readonly string[], rank: Rank): number[] {
  const kept = longestIncreasing(steps.map(rank));
  return [...steps.keys()].filter((at) => !kept.has(at) && Number.isFinite(rank(steps[at] as string)));
}

/** The order with these steps before the first one that they naturally come before. */
function returned(steps: readonly string[], chunk: ReadonlySet<number>, rank: Rank): string[] {
  const out = steps.filter((_, at) => !chunk.has(at));
  for (const from of chunk) {
    const step = steps[from] as string;
    const at = out.findIndex((other) => rank(other) > rank(step));
    out.splice(at < 0 ? out.length : at, 0, step);
  }
  return out;
}

async function swapBack(
  steps: readonly string[],
  rank: Rank,
  check: Check,
  isOver: () => boolean,
): Promise<readonly string[]> {
  let best = steps;
  for (let changed = true; changed && !isOver(); ) {
    changed = false;
    for (let i = 0; i + 1 < best.length && !isOver(); i++) {
      if (rank(best[i] as string) <= rank(best[i + 1] as string)) continue;
      const swapped = [...best];
      [swapped[i], swapped[i + 1]] = [best[i + 1] as string, best[i] as string];
      if (await check(swapped)) {
        best = swapped;
        changed = true;
      }
    }
  }
  return best;
}

/** Binary search; failures need not be monotone in the length, so the answer is checked by having failed. */
async function shortestPrefix(steps: readonly string[], check: Check): Promise<number> {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (await check(steps.slice(0, mid))) high = mid;
    else low = mid + 1;
  }
  return high;
}
