/** Which serial orders a scenario has. */

/**
 * The orders of so many calls; and those without calls that may be refused, for a call that was refused is as if it had not
 * been made.
 */
export function serialOrders(
  calls: number,
  refusable: readonly number[],
  sequel: number | null = null,
): number[][] {
  const all = Array.from({ length: calls }, (_, at) => at);
  const orders = subsets(refusable).flatMap((without) =>
    permutations(all.filter((at) => !without.includes(at))),
  );
  if (sequel === null) return orders;
  return orders.filter(
    (order) => !order.includes(sequel) || order.indexOf(sequel - 1) < order.indexOf(sequel),
  );
}

/** Before which of its calls an order may rest: what each one leaves behind comes before the next one, or does not. */
export const restsOf = (order: readonly number[]): number[][] => subsets([...order.keys()].slice(1));

/** The smaller ones first. */
function subsets(of: readonly number[]): number[][] {
  const all = Array.from({ length: 2 ** of.length }, (_, bits) => of.filter((_, at) => bits & (1 << at)));
  return all.sort((a, b) => a.length - b.length);
}

function permutations(of: readonly number[]): number[][] {
  if (of.length === 0) return [[]];
  return of.flatMap((first) =>
    permutations(of.filter((each) => each !== first)).map((rest) => [first, ...rest]),
  );
}
