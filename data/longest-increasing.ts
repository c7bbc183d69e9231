/** What two orders have in common: positions of a longest increasing subsequence. */

/** Of several, the one that keeps early members in place, so that what is left out of it is what came late. */
export function longestIncreasing(forward: readonly number[]): Set<number> {
  const values = forward.map((value) => -value).reverse();
  const tails: number[] = [];
  const previous = new Array<number>(values.length).fill(-1);
  values.forEach((value, at) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[tails[middle]!]! < value) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[at] = tails[low - 1]!;
    tails[low] = at;
  });
  const kept = new Set<number>();
  for (let at = tails[tails.length - 1] ?? -1; at >= 0; at = previous[at]!) kept.add(forward.length - 1 - at);
  return kept;
}
