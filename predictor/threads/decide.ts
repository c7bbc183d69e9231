/**
 * Whether a cut within bounds can be reached by some order, exactly. Saturation alone is exact without
 * messages as far as anybody knows, and not with them; so what it leaves open is decided by branching:
 *
 * - which of two sections comes first, where one of them is open and its thread could go on to release it
 *   (that decides how far the threads go that the question does not fix);
 * - then, for the closed ones, by looking for a linear order, with backtracking.
 *
 * The cut only ever grows by what a choice forces, so every order that reaches the bounds agrees with one
 * sequence of choices, and none is missed. A budget ends the search: `undecided`, said openly.
 */

import { linearise, type PrefixEnds } from './linearise.ts';
import { type Extra, Order } from './order.ts';
import type { Skeleton } from './skeleton.ts';

/** Bounds in nodes: every thread does at least `least` and at most `most` of its nodes. */
export interface ThreadBounds {
  readonly least: ArrayLike<number>;
  readonly most: ArrayLike<number>;
  readonly extra: Extra | null;
}

/** Nodes done by each thread, or why there is none. */
export type Decision = { readonly cut: Int32Array } | 'unreachable' | 'undecided';

/** Choices that one question may cost. */
export const DEFAULT_BUDGET = 20_000;

class Exhausted extends Error {}

export class Decider {
  readonly order: Order;
  private readonly skeleton: Skeleton;
  private readonly budget: number;
  private spent = 0;

  constructor(skeleton: Skeleton, budget = DEFAULT_BUDGET) {
    this.skeleton = skeleton;
    this.budget = budget;
    this.order = new Order(skeleton);
  }

  decide({ least, most, extra }: ThreadBounds): Decision {
    this.spent = 0;
    if (!this.order.begin(least, most, extra)) return 'unreachable';
    try {
      const cut = this.search();
      return cut ? { cut } : 'unreachable';
    } catch (error) {
      if (error instanceof Exhausted) return 'undecided';
      throw error;
    }
  }

  /**
   * The order of exactly the events up to `ends` that is lexicographically least by observed index, and
   * shows what `ends` asks for. Null: not found within the budget.
   */
  schedule(cut: Int32Array, extra: Extra | null, ends: PrefixEnds): Int32Array | null {
    if (!this.order.begin(cut, cut, extra)) return null;
    const result = linearise(this.order, ends, this.budget);
    return typeof result === 'string' ? null : result;
  }

  private search(): Int32Array | null {
    if (++this.spent > this.budget) throw new Exhausted();
    const pair = this.openPair();
    if (!pair) {
      const cut = Int32Array.from({ length: this.skeleton.threads }, (_, t) => this.order.cut(t));
      if (this.isTotal()) return cut;
      const result = linearise(this.order, null, this.budget - this.spent);
      if (result === 'exhausted') throw new Exhausted();
      return result === 'impossible' ? null : cut;
    }
    const mark = this.order.mark();
    for (const [first, second] of [pair, [pair[1], pair[0]] as const]) {
      if (this.order.putBefore(first, second)) {
        const cut = this.search();
        if (cut) return cut;
      }
      this.order.undo(mark);
    }
    return null;
  }

  /** Two sections in no order, the second of which is open and could still be closed. */
  private openPair(): readonly [number, number] | null {
    const { order } = this;
    for (const lists of this.skeleton.sections)
      for (const list of lists) {
        const open = order.lastBegun(list);
        if (open < 0 || order.standing(open) !== 'extensible') continue;
        for (const rival of this.skeleton.rivals[open]!) {
          const other = order.lastBegun(rival);
          if (other >= 0 && !order.isBefore(other, open)) return [other, open];
        }
      }
    return null;
  }

  /** Whether every two sections that exclude each other are ordered: then any topological order will do. */
  private isTotal(): boolean {
    const { order, skeleton } = this;
    for (const lists of skeleton.sections)
      for (const { acquires, thread } of lists)
        for (const acquire of acquires) {
          if (acquire - skeleton.base[thread]! >= order.cut(thread)) break;
          for (const rival of skeleton.rivals[acquire]!) {
            // Of the rival's sections, those not before this one: the first of them must be after it.
            const done = Math.min(order.clock(acquire, rival.thread), order.cut(rival.thread));
            const next = order.nextBegun(rival, done);
            if (next >= 0 && !order.isBefore(acquire, next)) return false;
          }
        }
    return true;
  }
}
