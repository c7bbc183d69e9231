/** The orders of an event loop: the predicted ones, then few that are left, or some by chance and by priorities, and by what is new. */
import type { CutPoint, Schedule, Swaps } from '../../data/prediction.ts';
import type { Assumptions, RunResult, StrategySpec } from '../../data/run.ts';
import type { Trace } from '../../data/trace.ts';
import { bySeed, PCT, RANDOM, type Search, type SeededStrategy, seededOf } from '../strategies/list.ts';
import { type Attempt, type Attempts, type Known, type Orders, unplanned } from './attempt.ts';
import { Conflicts } from './conflicts.ts';
import { Enumeration, leavesOf } from './enumeration.ts';
import { Further } from './further.ts';
import { Guided } from './guided.ts';
import { LATE } from './late.ts';
import { minimise } from './minimise.ts';
import { Swapped } from './swapped.ts';

export interface LoopSearch {
  readonly strategy: Search;
  /** Those that it is one of. */
  readonly strategies?: readonly SeededStrategy[];
  readonly maxSchedules: number;
  readonly seed: number;
  /** About how many orders there are, by the observed run; absent where nobody knows. */
  readonly expected?: number;
  /** What runs may take for granted. */
  readonly assumed?: Assumptions;
  /** Goes on until something fails, or nothing new comes. */
  readonly isThorough?: boolean;
  /** Goes on until the budget is used up, or nothing new comes. */
  readonly isDeep?: boolean;
  /** Steps that may change places, where nothing that was seen depends on the order. */
  readonly swaps?: Swaps | null;
  /** Predicts from a run that was recorded on the way; absent: nothing more is predicted. */
  readonly predict?: (trace: Trace) => {
    readonly cutPoints: readonly CutPoint[];
    readonly schedules: readonly Schedule[];
  };
}

/** Share of the schedules that random orders get when prediction is exhausted. */
const RANDOM_SHARE = 0.2;
const RANDOM_LEAST = 20;
const RANDOM_MOST = 40;
/** Behind so many predicted orders without a failure one that turned a check round is recorded. */
const TURNED_EACH = 24;
/** Orders by priorities where nothing was found; the first failure ends them. */
const PRIORITIES = 20;
/** A silent test has all of its orders executed where that is expected to take no longer, ms. */
const EXHAUST_MS = 1000;
/** A failure that was refuted so often comes by chance: a search that goes on for it is over. */
const BY_CHANCE = 12;
/** So many orders in a row without a new one end a search that goes on. */
const ROUND = 100;
/** Of a search that goes on each so many orders begin anew; the others as one that came to something new. */
const ANEW_EACH = 4;
/** So many orders are few: they are enumerated before any is chosen by chance. */
const FEW = 48;
/** And so many where nothing that was seen depends on the order. */
const FEW_ALIKE = 8;
/** They are not all executed where that is expected to take longer, ms: each run may start a process, and load a test. */
const FEW_MS = 10_000;
/** An estimate may be off by a factor of two and so many orders before it is given up. */
const FEW_MORE = 8;
/** Searching by chance takes no longer than this where runs are slow, ms, but for so many runs. */
const SEARCH_MS = 1000;
const LEAST = 5;

export class LoopOrders implements Orders {
  readonly predicted: readonly Schedule[];
  private readonly cutPoints: ReadonlyMap<string, CutPoint>;
  private readonly natural: readonly string[];
  private readonly how: LoopSearch;
  private readonly enumeration = new Enumeration();
  private readonly guided: Guided;
  private readonly further: Further | null;
  private readonly swapped: Swapped | null;
  private msPerRun = Number.POSITIVE_INFINITY;

  /** `natural`: the steps of the observed order. */
  constructor(
    natural: readonly string[],
    prediction: { readonly cutPoints: readonly CutPoint[]; readonly schedules: readonly Schedule[] },
    how: LoopSearch,
  ) {
    this.natural = natural;
    this.how = how;
    this.cutPoints = new Map(prediction.cutPoints.map((c) => [c.id, c]));
    this.predicted = how.strategy === 'directed' ? prediction.schedules : [];
    this.guided = new Guided(natural);
    this.swapped = how.swaps ? new Swapped(how.swaps, natural) : null;
    this.further = how.predict ? new Further(how.predict, natural, this.cutPoints.keys(), this.goesOn) : null;
  }

  private get goesOn(): boolean {
    return this.how.isThorough === true || this.how.isDeep === true;
  }

  *attempts(known: Known): Attempts {
    const { assumed, maxSchedules, strategy } = this.how;
    const seeded = seededOf(strategy, this.how.strategies);
    if (seeded) return yield* this.byChance(seeded, known, maxSchedules);
    if (strategy === 'dfs') return yield* this.enumerate(known);
    yield* this.predictedOrders(known);
    yield* this.predictFurther(known);
    // Also where nothing was predicted: what several entities say together is no triple of one.
    yield* this.looked(this.search(known));
    // Where every order was executed there is none left to predict.
    if (!known.orders?.all) {
      yield* this.predictFurther(known);
      yield* this.predictTurned(known);
    }
    if (assumed?.late) yield* this.randomLate();
    if (this.goesOn) yield* this.goOn(known);
  }

  private *predictedOrders(known: Known): Attempts {
    const conflicts = new Conflicts(this.natural);
    const todo = [...this.predicted];
    const { length } = todo;
    // What is put off is met again behind the others.
    for (let nth = 0, ran = 0; nth < todo.length; nth++) {
      const schedule = todo[nth]!;
      if (nth < length && conflicts.isMetBy(schedule)) {
        todo.push(schedule);
        continue;
      }
      const attempt = this.directed(schedule);
      const tried = yield attempt;
      conflicts.look(schedule, tried);
      this.look(attempt, tried);
      // Where so many passed, what they turned round is more telling than those that are left.
      if (++ran % TURNED_EACH === 0) yield* this.predictTurned(known, 1);
    }
  }

  /** What came of each is looked at for something new. */
  private *looked(attempts: Attempts): Attempts {
    for (let next = attempts.next(); !next.done; ) {
      const tried = yield next.value;
      this.look(next.value, tried);
      next = attempts.next(tried);
    }
  }

  private look(attempt: Attempt, tried: RunResult): void {
    this.further?.look(attempt, tried);
    this.guided.look(tried);
    this.swapped?.look(tried.steps);
  }

  /** Where nothing has failed: what is predicted of orders that came to something new. */
  private *predictFurther(known: Known): Attempts {
    const { further } = this;
    if (!further) return;
    const ms = stopwatch(known);
    const forMs = this.goesOn ? Number.POSITIVE_INFINITY : SEARCH_MS;
    let ran = 0;
    for (let order = further.next(); order && !known.hasRace; order = further.next()) {
      const { trace } = yield order;
      for (const attempt of trace ? further.learn(trace) : []) {
        if (isEnough(ran++, ms(), forMs)) return;
        this.look(attempt, yield attempt);
      }
    }
  }

  /** Where nothing has failed: what is predicted of orders that turned a check round. */
  private *predictTurned(known: Known, most = Number.POSITIVE_INFINITY): Attempts {
    const { further } = this;
    for (let nth = 0; nth < most && !known.hasRace; nth++) {
      const next = further?.nextTurned();
      if (!next) return;
      const { trace } = yield next.order;
      for (const attempt of trace ? next.learn(trace) : []) {
        if (known.hasRace) return;
        this.look(attempt, yield attempt);
      }
    }
  }

  /**
   * What is left of the budget: orders that begin as one that came to something new, and others that begin anew; what comes
   * to something new again is predicted from.
   */
  private *goOn(known: Known): Attempts {
    const { guided } = this;
    const { isDeep, isThorough, seed } = this.how;
    // Who only looks for one failure is told when the budget ended the search.
    const isSpent = () => !isThorough && (known.left === 0 || known.leftMs === 0);
    const isOver = () =>
      (isThorough ? known.failures > 0 : known.hasRace && !isDeep) ||
      known.refutations >= BY_CHANCE ||
      known.orders?.all === true ||
      isSpent();
    let ran = 0;
    let last = 0;
    while (!isOver() && ran - last < ROUND) {
      const before = known.novelty.orders;
      const own = seed + ROUND + ran;
      const by = ran % 2 === 0 ? RANDOM : PCT;
      const after = ran % ANEW_EACH === 0 ? undefined : guided.next(own);
      const spec = bySeed(by, own, this.natural.length, after);
      const attempt = untold('random', `guided-${by.name}-${own}`, spec);
      this.look(attempt, yield attempt);
      ran += 1;
      if (known.novelty.orders > before) last = ran;
      if (!known.hasRace) yield* this.predictFurther(known);
    }
  }

  smallest(
    { schedule }: Attempt,
    { failure, steps }: RunResult,
    followed: boolean,
    fails: (steps: readonly string[]) => Promise<boolean>,
  ): Promise<readonly string[]> {
    const order = followed ? schedule.steps : steps;
    // Each run of an order that does not end takes as long as a run may.
    return failure?.kind === 'timeout' ? Promise.resolve(order) : minimise(order, this.natural, fails);
  }

  private directed(schedule: Schedule): Attempt {
    const cutPoint = schedule.cutPoint === null ? null : (this.cutPoints.get(schedule.cutPoint) ?? null);
    return { origin: 'directed', schedule, spec: { kind: 'directed', schedule, cutPoint }, cutPoint };
  }

  /**
   * Orders that nothing predicted. Where they seem to be few all of them, so that silence means something; else some
   * by chance, as long as they bring anything new and take no unreasonable time.
   */
  private *search(known: Known): Attempts {
    const { expected = Number.POSITIVE_INFINITY, maxSchedules } = this.how;
    const { swapped } = this;
    const few = swapped ? FEW_ALIKE : FEW;
    if (expected <= few) yield* this.enumerate(known, swapped ? few : atMost(expected), FEW_MS);
    if (known.orders?.all) return;
    if (swapped) return yield* this.swapping(known, swapped);
    const share = Math.min(RANDOM_MOST, Math.max(RANDOM_LEAST, Math.floor(maxSchedules * RANDOM_SHARE)));
    yield* this.byChance(RANDOM, known, this.predicted.length > 0 ? share : RANDOM_LEAST, SEARCH_MS);
    yield* this.exhaust(known);
    // Where nothing fails and the orders are too many: some in which whole activities stay behind.
    const isOver = () => known.orders?.all === true || known.hasRace;
    yield* this.byChance(PCT, known, PRIORITIES, SEARCH_MS, isOver, this.guided.hasNews);
  }

  /** Orders in which steps change places that had not so far, then some by chance. */
  private *swapping(known: Known, swapped: Swapped): Attempts {
    const { seed } = this.how;
    const ms = stopwatch(known);
    for (let ran = 0; !swapped.isOver && !isEnough(ran, ms(), SEARCH_MS); ran++) {
      const spec: StrategySpec = { kind: 'swapping', swaps: swapped.wanted, seed: seed + ran };
      yield untold('random', `swapping-${seed + ran}`, spec);
    }
    swapped.begin();
    yield* this.byChance(RANDOM, known, RANDOM_LEAST, SEARCH_MS, () => swapped.isOver);
  }

  /**
   * Orders by chance, as many as asked for; where each step is as likely they size the tree of all orders. `isGuided`: every second
   * one begins as one that came to something new.
   */
  private *byChance(
    strategy: SeededStrategy,
    known: Known,
    count: number,
    forMs = Number.POSITIVE_INFINITY,
    isOver = () => false,
    isGuided = false,
  ): Attempts {
    const ms = stopwatch(known);
    const { novelty } = known;
    let mean = 0;
    novelty.begin();
    const stale = this.goesOn ? ROUND : undefined;
    // The first run may have to start a process, and to load the test.
    let startMs = 0;
    for (let ran = 0; ran < count && !isOver() && !novelty.isOver(stale); ) {
      if (isEnough(ran, ms(), forMs)) return;
      const after = isGuided && ran % 2 === 1 ? this.guided.next(this.how.seed + ran) : undefined;
      const { breadth } = yield this.seeded(strategy, ran, '', after);
      ran += 1;
      if (!strategy.isUniform) continue;
      mean += (leavesOf(breadth) - mean) / ran;
      known.orders = { count: mean, all: false };
      if (ran === 1) startMs = ms();
      else this.msPerRun = (ms() - startMs) / (ran - 1);
    }
  }

  /** Random ones, with answers later than the limit. */
  private *randomLate(): Attempts {
    for (let n = 0; n < RANDOM_LEAST; n++) yield this.seeded(RANDOM, n, LATE);
  }

  private seeded(strategy: SeededStrategy, n: number, suffix = '', after?: readonly string[]): Attempt {
    const seed = this.how.seed + n;
    const spec = bySeed(strategy, seed, this.natural.length, after);
    return untold('random', `${strategy.name}-${seed}${suffix}`, spec);
  }

  /** Where nothing fails and all orders can be executed in a short time: all of them. */
  private *exhaust(known: Known): Attempts {
    if (!known.orders || known.hasRace) return;
    const { count } = known.orders;
    const forMs = this.goesOn ? known.leftMs : EXHAUST_MS;
    if (count > Math.min(known.left, forMs / this.msPerRun)) return;
    yield* this.enumerate(known, atMost(count));
    // There are as many at least as were executed.
    if (!known.orders.all) known.orders = { count: Math.max(count, this.enumeration.count), all: false };
  }

  /**
   * Goes on with the enumeration of all orders, for so many of them or to its end, or until it can prove nothing any more; or would
   * take longer than `forMs`.
   */
  private *enumerate(
    known: Known,
    count = Number.POSITIVE_INFINITY,
    forMs = Number.POSITIVE_INFINITY,
  ): Attempts {
    const { enumeration, how } = this;
    const ms = stopwatch(known);
    const first = enumeration.count;
    const last = first + count;
    while (enumeration.next !== null && enumeration.count < last) {
      if (!enumeration.exact && how.strategy !== 'dfs') return;
      const ran = enumeration.count - first;
      if (!this.goesOn && ran >= LEAST && (ms() / ran) * Math.min(count, FEW) > forMs) return;
      const prefix = enumeration.next;
      enumeration.took(yield untold('enumerated', `dfs-${enumeration.count}`, { kind: 'prefix', prefix }));
      if (enumeration.isComplete) known.orders = { count: enumeration.count, all: true };
    }
  }
}

/** So many orders are executed to come to the end of about `expected` ones. */
const atMost = (expected: number): number => 2 * expected + FEW_MORE;

const untold = (origin: Attempt['origin'], id: string, spec: StrategySpec): Attempt => ({
  origin,
  schedule: unplanned(id),
  spec,
  cutPoint: null,
});

/** The time since then, ms, without what failures took that were found meanwhile. */
function stopwatch(known: Known): () => number {
  const now = () => performance.now() - known.asideMs;
  const started = now();
  return () => now() - started;
}

/** Whether a search has had its time, and a few runs at least, unless these are very slow. */
const isEnough = (runs: number, ms: number, forMs: number): boolean =>
  ms > (runs < LEAST ? LEAST : 1) * forMs;
