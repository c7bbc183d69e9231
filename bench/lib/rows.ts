/** What a case reports: figures of ours and of a peer or floor that was measured in the same rounds. */

/** How much is measured: `rounds` of each, and the share of the work of a full round. */
export interface Effort {
  readonly rounds: number;
  readonly share: number;
}
export const FULL: Effort = { rounds: 9, share: 1 };
export const QUICK: Effort = { rounds: 3, share: 1 };
/** For the check of a commit. */
export const SHORT: Effort = { rounds: 3, share: 0.5 };

export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  /** What the figure is compared with; null for growth, which has a limit but no peer. */
  readonly peer: { readonly name: string; readonly value: number } | null;
  /** The ratio to the peer, round by round: what disturbs a round disturbs both. */
  readonly pairs?: readonly number[];
  /** A figure that is not ours: what bounds another row. */
  readonly isFloor?: true;
  /** The ratio (or, without a peer, the figure) that is wanted. */
  readonly goal: { readonly atLeast: number } | { readonly atMost: number } | null;
}

/** One measurement; runs in a process of its own. */
export type Case = (effort: Effort) => Promise<Row[]>;

export function ratioOf({ ours, peer, pairs }: Row): number {
  if (pairs) return median(pairs);
  return peer ? ours / peer.value : ours;
}

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
