/** What a case reports: figures of ours and of a peer or floor that was measured in the same rounds. */

export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  /** What the figure is compared with; null for growth, which has a limit but no peer. */
  readonly peer: { readonly name: string; readonly value: number } | null;
  /** The ratio (or, without a peer, the figure) that is wanted. */
  readonly goal: { readonly atLeast: number } | { readonly atMost: number } | null;
}

/** One measurement; runs in a process of its own. */
export type Case = (quick: boolean) => Promise<Row[]>;

export const ratioOf = (row: Row): number => (row.peer ? row.ours / row.peer.value : row.ours);

/** Null where nothing was promised. */
export function isMet(row: Row): boolean | null {
  if (!row.goal) return null;
  const ratio = ratioOf(row);
  return 'atLeast' in row.goal ? ratio >= row.goal.atLeast : ratio <= row.goal.atMost;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
