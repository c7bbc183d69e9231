/**
 * The orders of a program of threads: the predicted ones first; where these are silent, those with one preemption, with
 * two, and some by chance.
 */
import type { CutPoint, Schedule } from '../../data/prediction.ts';
import type { RunResult } from '../../data/run.ts';
import { grantsOf, scheduleOfSteps, stepsOf } from '../../data/threads/schedule.ts';
import { deliveriesIn, isOfLoops, withoutTasks } from '../../data/threads/tasks.ts';
import type { ThreadTrace } from '../../data/threads/trace.ts';
import { type Attempt, type Attempts, type Known, type Orders, unplanned } from '../investigate/attempt.ts';
import type { Novelty } from '../investigate/novelty.ts';
import { bySeed, PCT, RANDOM, type Search, type SeededStrategy } from '../strategies/list.ts';
import { boundedOrders } from './bounded.ts';
import { spread } from './equivalence.ts';
import { FurtherThreads, forItself, type PredictedOrder, type PredictThreads } from './further.ts';
import { preemptions, twoPreemptions } from './preemptions.ts';
import type { ThreadedTest } from './protocol.ts';
import { ReachedEntities, type ReachedOrder } from './reached.ts';

export interface ThreadSearch {
  readonly strategy: Search;
  readonly maxSchedules: number;
  readonly seed: number;
  /** Predicts from a run that was recorded on the way; absent: nothing more is predicted. */
  readonly predict?: PredictThreads;
  /** Orders of the observed run that tear what a thread writes, or reads, one behind the other. */
  readonly torn?: () => readonly PredictedOrder[];
  /** They have nothing in common in the observed order. */
  readonly areStrangers?: boolean;
}

/** Schedules with one preemption, with two, and random ones, that are tried where the predicted ones are silent. */
const PREEMPTIONS = 100;
/** The most telling come first; fewer where each execution is a process. */
const TWO_PREEMPTIONS = { ofHarness: 50, ofProgram: 10 } as const;
const MOST_RANDOM = 100;

/** With one preemption, and random ones, of threads that have nothing in common: whether another order changes that shows soon. */
const FEW = 10;

/** So many in a row that could not be taken, and the others between the same tasks can hardly be. */
const MOST_IN_VAIN = 4;

/** Of operations that overlap all orders are executed that have so many preemptions: few bugs take more. */
const BOUND = 2;

export class ThreadOrders implements Orders {
  readonly predicted: readonly Schedule[];
  private readonly cutPoints: ReadonlyMap<string, CutPoint>;
  private readonly trace: ThreadTrace;
  private readonly kind: ThreadedTest['kind'];
  private readonly how: ThreadSearch;
  private readonly isOfCalls: boolean;

  /** @param isOfCalls it is made of operations that overlap: it is small, and all of it is wanted */
  constructor(
    kind: ThreadedTest['kind'],
    trace: ThreadTrace,
    prediction: { readonly cutPoints: readonly CutPoint[]; readonly schedules: readonly Schedule[] },
    how: ThreadSearch,
    isOfCalls = false,
  ) {
    this.kind = kind;
    this.trace = trace;
    this.how = how;
    this.isOfCalls = isOfCalls;
    this.cutPoints = new Map(prediction.cutPoints.map((c) => [c.id, c]));
    this.predicted = how.strategy === 'directed' ? prediction.schedules : [];
  }

  *attempts(known: Known): Attempts {
    const { areStrangers = false, maxSchedules, strategy } = this.how;
    const isDirected = strategy === 'directed';
    const further = this.how.predict ? new FurtherThreads(this.how.predict) : null;
    const isOver = (): boolean => isDirected && known.failures > 0;
    const reached = new ReachedEntities(this.trace);
    // What cannot be taken has the program go another way, too, where threads may come to share what they did not.
    yield* this.goOn(reached, further, this.planned(further), isOver);
    if (isDirected) yield* this.goOn(reached, further, this.torn(), isOver);
    if (isOver()) return;
    if (further) yield* this.predictFurther(further, isOver);
    if (isDirected && this.isOfCalls && !isOfLoops(this.trace)) return yield* this.bounded(known, isOver);
    const search = (attempts: Iterable<Attempt>): Attempts =>
      this.goOn(reached, further, untilStale(known.novelty, attempts, isOver), isOver);
    if (strategy === PCT.name) return yield* search(this.byChance(PCT, maxSchedules));
    // Of the other strategies by chance threads have none but the random one.
    if (isDirected || strategy === 'dfs') {
      const own = withoutTasks(this.trace);
      const most = (budget: number) => (isDirected ? budget : maxSchedules);
      const once = [...preemptions(own, most(areStrangers ? FEW : PREEMPTIONS))].map(
        ({ event, grants, thread }) => this.enumerated(`p${event}-${thread}`, grants),
      );
      // Where each execution is a process it matters to meet what is different soon.
      yield* search(this.kind === 'threads' ? once : spread(once));
      const { ofHarness, ofProgram } = TWO_PREEMPTIONS;
      const twice = this.withTwo(
        own,
        most(areStrangers ? 0 : this.kind === 'threads' ? ofHarness : ofProgram),
      );
      yield* search(twice);
    }
    const random = areStrangers ? FEW : MOST_RANDOM;
    yield* search(this.byChance(RANDOM, isDirected ? random : maxSchedules));
  }

  /** The predicted ones. Where several between the same tasks could not be taken, what is left of these comes last. */
  private *planned(further: FurtherThreads | null): Attempts {
    const inVain = new Map<string, number>();
    const left: Attempt[] = [];
    for (const schedule of this.predicted) {
      const cutPoint = this.cutPoints.get(schedule.cutPoint ?? '') ?? null;
      const spec = { kind: 'directed', schedule, cutPoint } as const;
      const attempt = { origin: 'directed', schedule, spec, cutPoint } as const;
      const between = cutPoint ? [cutPoint.first.task, cutPoint.remote.task].sort().join('\n') : '';
      if (cutPoint && (inVain.get(between) ?? 0) >= MOST_IN_VAIN) {
        left.push(attempt);
        continue;
      }
      const tried = yield attempt;
      further?.look(attempt, tried);
      inVain.set(between, tried.followed === 'followed' ? 0 : (inVain.get(between) ?? 0) + 1);
    }
    for (const attempt of left) further?.look(attempt, yield attempt);
  }

  private *torn(): Attempts {
    for (const { schedule } of this.how.torn?.() ?? []) yield forItself(schedule, `torn-${schedule.id}`);
  }

  private *predictFurther(further: FurtherThreads, isOver: () => boolean): Attempts {
    for (const order of further.orders()) {
      const { threads } = yield order;
      for (const attempt of threads ? further.learn(threads) : []) {
        if (isOver()) return;
        yield attempt;
      }
    }
  }

  /** Orders of a search, each that has threads share what they did not before with those that are predicted from it. */
  private *goOn(
    reached: ReachedEntities,
    further: FurtherThreads | null,
    search: Attempts,
    isOver: () => boolean,
  ): Attempts {
    for (let next = search.next(); !next.done; ) {
      const tried = yield next.value;
      const order = further && reached.look(tried);
      if (order) yield* this.beside(order, further, isOver);
      next = search.next(tried);
    }
  }

  private *beside({ fresh, trace }: ReachedOrder, further: FurtherThreads, isOver: () => boolean): Attempts {
    const steps = stepsOf(trace.names.threads, grantsOf(trace.events), deliveriesIn(trace));
    const { threads } = yield further.recording(steps);
    for (const attempt of threads ? further.learn(threads, fresh) : []) {
      if (isOver()) return;
      yield attempt;
    }
  }

  /** What was really taken: a schedule says only how it begins. */
  smallest(_: Attempt, { steps }: RunResult): Promise<readonly string[]> {
    return Promise.resolve(steps);
  }

  /** Which answer of an event loop comes next is another choice: of those nobody could say that these are all. */
  private *bounded(known: Known, isOver: () => boolean): Attempts {
    const { events, names } = this.trace;
    const orders = boundedOrders(grantsOf(events), names.threads.length, BOUND);
    let taken = 1;
    let next = orders.next();
    for (let tried = 0; !next.done; tried++) {
      if (isOver()) return;
      const { followed, outcome, steps } = yield this.enumerated(`b${tried}`, next.value);
      // What came of it nobody knows.
      if (outcome === 'unknown') return;
      const isTaken = followed === 'followed';
      if (isTaken) taken += 1;
      next = orders.next(isTaken ? scheduleOfSteps(names.threads, steps).grants : null);
    }
    known.bounded = { preemptions: BOUND, orders: taken };
  }

  private *withTwo(own: ThreadTrace, most: number): Generator<Attempt> {
    for (const { event, grants, second, thread } of twoPreemptions(own, most))
      yield this.enumerated(`p${event}-${thread}-${second.event}-${second.thread}`, grants);
  }

  private enumerated(id: string, grants: readonly number[]): Attempt {
    const steps = stepsOf(this.trace.names.threads, grants);
    const schedule = { ...unplanned(id, steps), switches: grants.length / 2 - 1 };
    const spec = { kind: 'directed', schedule, cutPoint: null } as const;
    return { origin: 'enumerated', schedule, spec, cutPoint: null };
  }

  private *byChance(strategy: SeededStrategy, count: number): Generator<Attempt> {
    const begins = strategy === PCT ? BY_PRIORITIES : BY_CHANCE;
    for (let seed = this.how.seed; seed < this.how.seed + count; seed++)
      yield chosen(`${begins}${seed}`, bySeed(strategy, seed, this.trace.events.length));
  }
}

/** The ids of schedules that were chosen by priorities, and of others by chance, begin so. */
const BY_PRIORITIES = 'pct-';
const BY_CHANCE = 'r';

/** How a schedule of this id was chosen. */
export const chosenIn = (id: string): SeededStrategy => (id.startsWith(BY_PRIORITIES) ? PCT : RANDOM);

const chosen = (id: string, spec: Attempt['spec']): Attempt => ({
  origin: 'random',
  schedule: unplanned(id),
  spec,
  cutPoint: null,
});

/** Those of one kind, until they bring nothing new: where little is shared there are few orders. */
function* untilStale(novelty: Novelty, attempts: Iterable<Attempt>, isOver: () => boolean): Attempts {
  novelty.begin();
  for (const attempt of attempts) {
    if (isOver() || novelty.isOver()) return;
    yield attempt;
  }
}
