/**
 * Abstract exploration: replays the program in many orders, which costs microseconds each, and keeps for
 * every candidate that no direct synthesis reached the first order that shows it. It also finds the orders
 * in which replay gets stuck on locks: predicted deadlocks.
 */
import type { LoopOptions } from '../data/feasibility/loop.ts';
import type { Candidate } from './candidates.ts';
import type { Program } from './program.ts';
import { Replay, type ReplayStep } from './replay.ts';
import { type Order, shows } from './synthesize.ts';

export interface Stuck {
  readonly order: Order;
  /** The locks that are waited for. */
  readonly locks: readonly number[];
}

export interface Exploration {
  readonly orders: ReadonlyMap<Candidate, Order>;
  readonly stuck: Stuck | null;
  readonly tried: number;
  /** True when every order of the abstract program was replayed. */
  readonly exhausted: boolean;
}

/** Work is bounded by replayed events, so that large traces do not take longer than small ones. */
export interface ExploreBudget {
  readonly orders: number;
  readonly events: number;
}
export const DEFAULT_EXPLORE: ExploreBudget = { orders: 3000, events: 3_000_000 };

export function exploreAbstractly(
  program: Program,
  wanted: readonly Candidate[],
  options: Partial<LoopOptions>,
  budget: ExploreBudget = DEFAULT_EXPLORE,
): Exploration {
  const open = new Set(wanted);
  const orders = new Map<Candidate, Order>();
  let stuck: Stuck | null = null;
  let tried = 0;
  let spent = 0;
  const hasLocks = program.trace.locks.length > 0;
  const done = (): boolean =>
    tried >= budget.orders || spent >= budget.events || (open.size === 0 && (!hasLocks || stuck !== null));

  const look = (replay: Replay, moves: number): void => {
    tried += 1;
    spent += program.trace.events.length + 50;
    const order = { steps: replay.taken, clock: replay.model.now, moves };
    for (const candidate of open)
      if (shows(replay.sequence, candidate.first, candidate.remote, candidate.second)) {
        orders.set(candidate, cut(program, order, candidate, options));
        open.delete(candidate);
      }
    if (stuck === null) {
      const locks = replay.stuck();
      if (locks.length > 0) stuck = { order, locks };
    }
  };

  for (const strategy of strategies(program)) {
    if (done()) break;
    const { replay, moves } = run(program, options, strategy);
    look(replay, moves);
  }
  const exhausted = enumerate(program, options, done, look);
  return { orders, stuck, tried, exhausted };
}

type Chooser = (enabled: readonly ReplayStep[]) => ReplayStep;

function run(
  program: Program,
  options: Partial<LoopOptions>,
  choose: Chooser,
): { replay: Replay; moves: number } {
  const replay = new Replay(program, options);
  let moves = 0;
  for (;;) {
    const enabled = replay.enabled();
    if (enabled.length === 0) return { replay, moves };
    const next = choose(enabled);
    if (next !== enabled[0]) moves += 1;
    replay.take(next);
  }
}

/** First the orders that differ least: each step in turn held as long as anything else can run. */
function* strategies(program: Program): Generator<Chooser> {
  const names = [...program.observed.keys()];
  for (const held of names)
    yield (enabled) => enabled.find((s) => s.name !== held) ?? (enabled[0] as ReplayStep);
  // And each step as early as it can be.
  for (const wanted of names)
    yield (enabled) => enabled.find((s) => s.name === wanted) ?? (enabled[0] as ReplayStep);
  for (let seed = 1; seed <= 200; seed++) {
    const random = generator(seed);
    yield (enabled) => enabled[Math.floor(random() * enabled.length)] as ReplayStep;
  }
}

/** Depth-first over all orders by re-execution; true when it came to the end. */
function enumerate(
  program: Program,
  options: Partial<LoopOptions>,
  done: () => boolean,
  look: (replay: Replay, moves: number) => void,
): boolean {
  let prefix: number[] = [];
  for (;;) {
    if (done()) return false;
    const widths: number[] = [];
    let at = 0;
    const { replay, moves } = run(program, options, (enabled) => {
      const choice = prefix[at] ?? 0;
      widths.push(enabled.length);
      at += 1;
      return enabled[Math.min(choice, enabled.length - 1)] as ReplayStep;
    });
    look(replay, moves);
    const path = widths.map((_, i) => prefix[i] ?? 0);
    let i = path.length - 1;
    while (i >= 0 && (path[i] as number) + 1 >= (widths[i] as number)) i -= 1;
    if (i < 0) return true;
    prefix = [...path.slice(0, i), (path[i] as number) + 1];
  }
}

/** The same order, ended at the step that executes `second`. */
function cut(program: Program, order: Order, candidate: Candidate, options: Partial<LoopOptions>): Order {
  const replay = new Replay(program, options);
  for (const name of order.steps) {
    if (replay.done[candidate.second] === 1) break;
    const step = replay.enabled().find((s) => s.name === name);
    if (!step) return order;
    replay.take(step);
  }
  return { steps: replay.taken, clock: replay.model.now, moves: order.moves };
}

/** A small seeded generator (mulberry32); the same everywhere a seed is promised. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
