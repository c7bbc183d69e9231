/**
 * The minimal form of a failing order: the shortest prefix that still fails when the rest is left to the
 * observed order, then single steps moved back to their natural place wherever the failure survives that.
 */
export interface MinimiseBudget {
  readonly runs: number;
}

/** `fails` runs an order (a prefix of steps, the rest in observed order) and says whether it still fails. */
export async function minimise(
  steps: readonly string[],
  natural: readonly string[],
  fails: (steps: readonly string[]) => Promise<boolean>,
  budget: MinimiseBudget = { runs: 60 },
): Promise<readonly string[]> {
  let runs = budget.runs;
  const check = async (candidate: readonly string[]): Promise<boolean> => {
    runs -= 1;
    return runs >= 0 && (await fails(candidate));
  };
  let best = steps.slice(0, await shortestPrefix(steps, check));
  const place = new Map<string, number>();
  natural.forEach((name, at) => {
    if (!place.has(name)) place.set(name, at);
  });
  const rank = (name: string): number => place.get(name) ?? Number.POSITIVE_INFINITY;
  for (let changed = true; changed && runs > 0; ) {
    changed = false;
    for (let i = 0; i + 1 < best.length && runs > 0; i++) {
      if (rank(best[i] as string) <= rank(best[i + 1] as string)) continue;
      const swapped = [...best];
      [swapped[i], swapped[i + 1]] = [best[i + 1] as string, best[i] as string];
      if (await check(swapped)) {
        best = swapped;
        changed = true;
      }
    }
  }
  // Swapping may have made the end natural again.
  return best.slice(0, await shortestPrefix(best, check));
}

/** Binary search; failures need not be monotone in the length, so the answer is checked by having failed. */
async function shortestPrefix(
  steps: readonly string[],
  check: (steps: readonly string[]) => Promise<boolean>,
): Promise<number> {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (await check(steps.slice(0, mid))) high = mid;
    else low = mid + 1;
  }
  return high;
}
