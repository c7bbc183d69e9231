/**
 * Probabilistic concurrency testing (PCT; Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010): each activity has a
 * random priority, the highest that can go on does, and at d - 1 steps that were chosen beforehand the one that went on falls
 * behind all others. Of n activities that take k steps in all a bug of depth d, one that needs d steps in a certain order,
 * shows with probability 1 / (n k^(d-1)) at least.
 *
 * The same for threads and for event loops. Threads choose in memory that they share, whichever has the token: so all that
 * this knows of an execution is a few words, and a priority is worked out from the seed whenever it is wanted. Departure from
 * the paper: an activity that begins later gets its priority then, not among those of the beginning.
 */
import { generator } from '../../data/generator.ts';
import type { PctPlan } from '../../data/run.ts';
import { ActivityNumbers } from './activities.ts';
import { RandomStrategy } from './random.ts';
import type { GateView, ReadyStep, Wait } from './strategy.ts';

/** Most points at which an activity falls. */
const MOST_FALLS = 7;
/** Steps from here to where nobody falls any more. */
const NEVER = 0x7fffffff;

const W = { Seed: 0, Taken: 1, Falls: 2, At: 3, Who: 3 + MOST_FALLS, Size: 3 + 2 * MOST_FALLS } as const;
/** Nobody has fallen there so far. */
const NOBODY = -1;

export const PCT_WORDS = W.Size;

/** Depths from 2 to 4 in turn: most bugs need no more than two or three steps in order. */
export const pctPlan = (seed: number, length: number): PctPlan => ({ seed, depth: 2 + (seed % 3), length });

export class Pct {
  private readonly words: Int32Array;

  /** `words`: {@link PCT_WORDS} of them, zero or from {@link begin}; shared where several threads choose. */
  constructor(words: Int32Array = new Int32Array(PCT_WORDS)) {
    this.words = words;
  }

  begin({ seed, depth, length }: PctPlan): this {
    const { words } = this;
    const next = generator(seed);
    words[W.Seed] = seed;
    words[W.Taken] = 0;
    words[W.Falls] = Math.min(MOST_FALLS, depth - 1);
    for (let i = 0; i < words[W.Falls]!; i++) {
      words[W.At + i] = 1 + Math.floor(next() * Math.max(1, length));
      words[W.Who + i] = NOBODY;
    }
    return this;
  }

  /** So many steps were taken, the last of them by this activity. */
  took(steps: number, activity: number): void {
    const { words } = this;
    words[W.Taken]! += steps;
    for (let i = 0; i < words[W.Falls]!; i++)
      if (words[W.Who + i] === NOBODY && words[W.At + i]! <= words[W.Taken]!) words[W.Who + i] = activity;
  }

  /** Which of these activities goes on. */
  choose(able: readonly number[]): number {
    let best = able[0]!;
    for (const activity of able) if (this.priority(activity) > this.priority(best)) best = activity;
    return best;
  }

  /** After so many steps somebody falls. */
  get untilNext(): number {
    const { words } = this;
    let until = NEVER;
    for (let i = 0; i < words[W.Falls]!; i++)
      if (words[W.Who + i] === NOBODY) until = Math.min(until, words[W.At + i]! - words[W.Taken]!);
    return until;
  }

  /** Negative for who has fallen, by the point at which that was. */
  private priority(activity: number): number {
    const { words } = this;
    let fallen = 0;
    for (let i = 0; i < words[W.Falls]!; i++) if (words[W.Who + i] === activity) fallen = -1 - i;
    return fallen || generator(words[W.Seed]! ^ Math.imul(activity + 1, 0x9e3779b1))();
  }
}

/** For an event loop: what takes a pause of the CPU is chosen as rarely as by {@link RandomStrategy}. */
export class PctStrategy extends RandomStrategy {
  private readonly activities = new ActivityNumbers(() => this.next());
  private readonly pct: Pct;

  constructor(plan: PctPlan) {
    super(plan.seed);
    this.pct = new Pct().begin(plan);
  }

  override choose(enabled: readonly ReadyStep[], view?: GateView): ReadyStep | Wait {
    const chosen = super.choose(enabled, view);
    // The points at which somebody falls are among all steps, and not only among those that were a choice.
    if (!('wait' in chosen)) this.pct.took(1, this.activities.of(chosen));
    return chosen;
  }

  protected override pick(among: readonly ReadyStep[]): ReadyStep {
    const first = new Map<number, ReadyStep>();
    for (const step of among) {
      const activity = this.activities.of(step);
      if (!first.has(activity)) first.set(activity, step);
    }
    return first.get(this.pct.choose([...first.keys()]))!;
  }
}
