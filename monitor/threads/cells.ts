/**
 * Places in shared memory as one number each: the bytes that an access covers, by the sum of their two ends. Aligned
 * ranges whose length is a power of two have different sums, and the lowest bit of a sum is the length.
 */

/** Addresses end here: sums have to fit into 32 bits. */
export const MOST_BYTES = 2 ** 30 - 1;

/** The cell of `width` bytes (a power of two) from `address` on, a multiple of it. */
export const cellOf = (address: number, width: number): number => 2 * address + width;

/** The smallest cell that holds an access at any address. */
export function cellAround(address: number, width: number): number {
  let covering = width;
  while (address + width > startOf(address, covering) + covering) covering *= 2;
  return cellOf(startOf(address, covering), covering);
}

const startOf = (address: number, width: number): number => Math.floor(address / width) * width;

export const widthOf = (cell: number): number => cell & -cell;
export const addressOf = (cell: number): number => (cell - widthOf(cell)) / 2;

/**
 * For each of some cells the largest of them that covers it: accesses of any width to one place belong together. Two
 * cells are disjoint, or one lies in the other.
 */
export function covering(cells: readonly number[]): ReadonlyMap<number, number> {
  const sorted = cells.toSorted((a, b) => addressOf(a) - addressOf(b) || widthOf(b) - widthOf(a));
  const found = new Map<number, number>();
  let outer = sorted[0]!;
  for (const cell of sorted) {
    if (addressOf(cell) >= addressOf(outer) + widthOf(outer)) outer = cell;
    found.set(cell, outer);
  }
  return found;
}
