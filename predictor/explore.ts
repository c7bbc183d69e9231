/**
 * Abstract exploration: replays the program in many orders, which costs microseconds each, and keeps for
 * every candidate that no direct synthesis reached the first order that shows it. It also finds the orders
 * in which replay gets stuck on locks: predicted deadlocks.
 */

import { END } from '../data/feasibility/sketch/steps.ts';
import { generator } from '../data/generator.ts';
import type { Candidate } from './candidates.ts';
import type { Replay } from './replay/replay.ts';
import type { Branch, Trunk } from './replay/trunk.ts';

interface Stuck {
  readonly order: Branch;
  /** The locks that are waited for. */
  readonly locks: readonly number[];
}

export interface Exploration {
  readonly orders: ReadonlyMap<Candidate, Branch>;
  readonly stuck: Stuck | null;
  readonly tried: number;
  /** True when every order of the abstract program was replayed. */
  readonly exhausted: boolean;
}

/** Work is bounded by replayed steps, so that large traces do not take longer than small ones. */
export interface ExploreBudget {
  readonly orders: number;
  readonly steps: number;
}
const DEFAULT_EXPLORE: ExploreBudget = { orders: 3000, steps: 400_000 };

const RANDOM_ORDERS = 200;

export function exploreAbstractly(
  trunk: Trunk,
  wanted: readonly Candidate[],
  /** Whether an order that gets stuck on locks is looked for. */
  deadlocks: boolean,
  budget: ExploreBudget = DEFAULT_EXPLORE,
): Exploration {
  return new Explorer(trunk, wanted, deadlocks, budget).explore();
}

class Explorer {
  private readonly trunk: Trunk;
  private readonly replay: Replay;
  private readonly open: Set<Candidate>;
  private readonly orders = new Map<Candidate, Branch>();
  private stuck: Stuck | null = null;
  private tried = 0;
  private readonly budget: ExploreBudget;
  private readonly most: number;
  private readonly deadlocks: boolean;

  constructor(trunk: Trunk, wanted: readonly Candidate[], deadlocks: boolean, budget: ExploreBudget) {
    this.trunk = trunk;
    this.replay = trunk.replay;
    this.open = new Set(wanted);
    this.deadlocks = deadlocks;
    this.budget = budget;
    this.most = trunk.replay.cost + budget.steps;
  }

  explore(): Exploration {
    this.holdEach();
    this.hurryEach();
    this.shuffle();
    const exhausted = !this.done && this.enumerate();
    return { orders: this.orders, stuck: this.stuck, tried: this.tried, exhausted };
  }

  private get done(): boolean {
    const spent = this.tried >= this.budget.orders || this.replay.cost >= this.most;
    return spent || (this.open.size === 0 && (!this.deadlocks || this.stuck !== null));
  }

  /** First the orders that differ least: each step in turn held as long as anything else can run. */
  private holdEach(): void {
    for (let place = 0; place < this.trunk.length && !this.done; place++) {
      const held = this.trunk.order[place] as number;
      this.run(place, (first) => {
        const next = first === held ? this.replay.first((step) => step === held) : first;
        return next < 0 ? first : next;
      });
    }
  }

  /** And each step as early as it can be. */
  private hurryEach(): void {
    const { steps, order, startAt } = this.trunk;
    for (let place = 0; place < this.trunk.length && !this.done; place++) {
      const wanted = order[place] as number;
      if (steps.kind[wanted] === END) continue;
      const from = startAt[steps.request[wanted] as number] as number;
      this.run(from, (first) => (this.replay.offers(wanted) ? wanted : first));
    }
  }

  private shuffle(): void {
    for (let seed = 1; seed <= RANDOM_ORDERS && !this.done; seed++) {
      const random = generator(seed);
      this.run(0, () => this.replay.possible[Math.floor(random() * this.replay.look())] as number);
    }
  }

  /** From a place of the trunk to the end of the program; `choose` is given the step that the trunk would take. */
  private run(from: number, choose: (first: number) => number): void {
    const replay = this.trunk.seek(from);
    let moves = 0;
    for (let first = replay.first(); first >= 0; first = replay.first()) {
      const next = choose(first);
      if (next !== first) moves += 1;
      replay.take(next);
    }
    this.examine(from, moves);
  }

  /** Depth first over all orders; true when it came to the end. */
  private enumerate(): boolean {
    const { replay } = this;
    this.trunk.seek(0);
    const begin = replay.mark();
    const path: { readonly steps: readonly number[]; at: number; readonly mark: number }[] = [];
    for (;;) {
      while (replay.look() > 0) {
        const steps = this.sorted();
        path.push({ steps, at: 0, mark: replay.mark() });
        replay.take(steps[0] as number);
      }
      this.examine(0, path.filter(({ at }) => at > 0).length);
      if (this.done) break;
      let top = path.at(-1);
      while (top && top.at + 1 >= top.steps.length) {
        path.pop();
        top = path.at(-1);
      }
      if (!top) return true;
      replay.undo(top.mark);
      top.at += 1;
      replay.take(top.steps[top.at] as number);
    }
    replay.undo(begin);
    return false;
  }

  /** The possible steps, in the order of the observed run. */
  private sorted(): number[] {
    const { rank } = this.trunk.steps;
    const count = this.replay.look();
    return this.replay.possible.slice(0, count).sort((a, b) => rank[a]! - rank[b]!);
  }

  private examine(from: number, moves: number): void {
    const { replay } = this;
    this.tried += 1;
    for (const candidate of this.open) {
      const { first, remote, second } = candidate;
      const at = replay.moment(remote);
      if (at === 0 || replay.moment(first) === 0 || replay.moment(first) > at || replay.moment(second) < at)
        continue;
      this.orders.set(candidate, this.trunk.branch(from, moves, replay.lengthAt(second)));
      this.open.delete(candidate);
    }
    if (this.stuck !== null) return;
    const locks = replay.stuck();
    if (locks.length > 0) this.stuck = { order: this.trunk.branch(from, moves), locks };
  }
}
