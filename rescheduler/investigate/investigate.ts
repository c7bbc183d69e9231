/**
 * Stage 3 for one test: forces the predicted schedules in their order, then a small share of random ones,
 * and confirms each failure in fresh processes.
 */
import type { CutPoint, Schedule } from '../../data/prediction.ts';
import { type Assumptions, NOTHING_ASSUMED, type RunResult, type StrategySpec } from '../../data/run.ts';
import type { Verdict } from '../../data/verdicts.ts';
import { isAssumedStep } from '../../monitor/host/assumed.ts';
import { pctPlan } from '../strategies/pct.ts';
import { Budget } from './budget.ts';
import { type Confirmation, confirm, fingerprintOf, sameFailure } from './confirm.ts';
import { withEndless } from './endless.ts';
import { Enumeration } from './enumeration.ts';
import { minimise } from './minimise.ts';
import { Novelty } from './novelty.ts';
import { provisionalVerdict } from './verdict.ts';

/** The two ways to run a test that investigation needs. */
export interface Executor {
  execute(spec: StrategySpec, assumed: Assumptions): Promise<RunResult>;
  executeFresh(spec: StrategySpec, assumed: Assumptions): Promise<RunResult>;
}

export type Origin = 'directed' | 'random' | 'dfs';

/** How orders are chosen. */
export type Search = Origin | 'pct';

export interface Finding {
  readonly origin: Origin;
  /** The schedule that met it, and the minimal form of its order. */
  readonly schedule: Schedule;
  readonly steps: readonly string[];
  readonly cutPoint: CutPoint | null;
  readonly result: RunResult;
  readonly confirmation: Confirmation;
  /** What it fails only with. */
  readonly assumed: Assumptions;
  /** Forced runs of this test until it was met, this one included. */
  readonly schedulesUntilFound: number;
  /** Orders that failed alike, as executed: this one, and some of those met later. */
  readonly orders: (readonly string[])[];
  /** Further cut points whose order failed alike. */
  readonly variants: CutPoint[];
}

export interface Investigation {
  readonly findings: readonly Finding[];
  /** One verdict per forced schedule, by schedule id. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly forced: number;
  /** How many feasible orders there are, where something is known of that; `all`: each was executed. */
  readonly orders: { readonly count: number; readonly all: boolean } | null;
  /** Set when a budget cut it short; `left`: predicted orders that were not forced. */
  readonly ended: { readonly left: number; readonly limit: string } | null;
}

export interface InvestigateOptions {
  readonly maxSchedules: number;
  readonly maxTimeMs: number;
  /** Schedules that an earlier command on the same store has forced. */
  readonly used?: number;
  readonly confirm: number;
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
  readonly strategy: Search;
  /** About how many orders there are, by the observed run; absent where nobody knows. */
  readonly expected?: number;
  /** Called before a schedule is run, so that it is known even when the process dies in it. */
  readonly planned?: (schedule: Schedule, spec: StrategySpec, origin: Origin) => void;
  readonly judged?: (schedule: Schedule, verdict: Verdict, result: RunResult) => void;
  /** A failure was confirmed. Awaited before its schedule is judged, so that a judged one is never lost. */
  readonly found?: (finding: Finding) => Promise<void>;
  /** What runs may take for granted; a failure is then tried without, too. */
  readonly assumed?: Assumptions;
  /** Fingerprints of failures that an earlier command on this test has confirmed: they are not met anew. */
  readonly confirmed?: ReadonlySet<string>;
}

/** Share of the schedules that random orders get when prediction is exhausted. */
const RANDOM_SHARE = 0.2;
const RANDOM_LEAST = 20;
/** Orders by priorities where nothing was found; the first failure ends them. */
const PRIORITIES = 20;
/** Failing orders of one finding that are kept. */
const MAX_ORDERS = 6;
/** A silent test has all of its orders executed where that is expected to take no longer, ms. */
const EXHAUST_MS = 5000;
/** So many orders are few: they are enumerated before any is chosen by chance. */
const FEW = 48;
/** An estimate of few is off by a factor of two and so many orders at most before it is given up. */
const FEW_MORE = 8;
/** Searching by chance takes no longer than this where runs are slow, ms, but for so many runs. */
const SEARCH_MS = 3000;
const LEAST = 5;
/** Each run that does not end takes as long as a run may: after so many nothing more is searched for. */
const MOST_HUNG = 4;
const HUNG = 'orders that do not end';

/** Ends the id of a schedule that needs answers later than the limit: forced only where that is assumed. */
export const LATE = '-late';

export async function investigate(
  executor: Executor,
  natural: readonly string[],
  prediction: { readonly cutPoints: readonly CutPoint[]; readonly schedules: readonly Schedule[] },
  options: InvestigateOptions,
): Promise<Investigation> {
  const inquiry = new Inquiry(executor, natural, options);
  const cutPoints = new Map(prediction.cutPoints.map((c) => [c.id, c]));
  const planned = options.strategy === 'directed' ? prediction.schedules : [];
  const work = async (): Promise<void> => {
    if (options.strategy === 'random') return inquiry.random(options.maxSchedules);
    if (options.strategy === 'pct') return inquiry.priorities(options.maxSchedules);
    if (options.strategy === 'dfs') return inquiry.enumerate();
    for (const schedule of planned) {
      if (inquiry.budget.ended) return;
      const cutPoint = schedule.cutPoint === null ? null : (cutPoints.get(schedule.cutPoint) ?? null);
      await inquiry.force('directed', schedule, { kind: 'directed', schedule, cutPoint }, cutPoint);
    }
    // Also where nothing was predicted: what several entities say together is no triple of one.
    await inquiry.search(planned.length > 0 ? randomShare(options.maxSchedules) : RANDOM_LEAST);
    if (options.assumed?.late) await inquiry.randomLate();
  };
  try {
    await work();
  } catch (error) {
    // The run under way was ended with the budget: it is left, and everything before it counts.
    if (!inquiry.budget.ended) throw error;
  }
  return inquiry.end(planned);
}

function randomShare(maxSchedules: number): number {
  return Math.max(RANDOM_LEAST, Math.floor(maxSchedules * RANDOM_SHARE));
}

class Inquiry {
  readonly budget: Budget;
  private readonly executor: Executor;
  private readonly natural: readonly string[];
  private readonly options: InvestigateOptions;
  private readonly findings: Finding[] = [];
  private readonly verdicts = new Map<string, Verdict>();
  private orders: Investigation['orders'] = null;
  private readonly enumeration = new Enumeration();
  private readonly novelty = new Novelty();
  private msPerRun = Number.POSITIVE_INFINITY;
  /** Orders that came to no end. */
  private hung = 0;

  constructor(executor: Executor, natural: readonly string[], options: InvestigateOptions) {
    this.executor = {
      execute: async (...how) => withEndless(await executor.execute(...how)),
      executeFresh: async (...how) => withEndless(await executor.executeFresh(...how)),
    };
    this.natural = natural;
    this.options = options;
    this.budget = new Budget(options);
  }

  end(planned: readonly Schedule[]): Investigation {
    const limit = this.orders?.all ? null : this.budget.refused;
    const left = planned.filter(({ id }) => !this.verdicts.has(id)).length;
    return {
      findings: this.findings,
      verdicts: this.verdicts,
      forced: this.budget.used,
      orders: this.orders,
      ended: limit === null ? null : { left, limit },
    };
  }

  /**
   * Orders that nothing predicted. Where they seem to be few all of them, so that silence means something; else some
   * by chance, as many as asked for, as long as they bring anything new and take no unreasonable time.
   */
  async search(count: number): Promise<void> {
    const { expected = Number.POSITIVE_INFINITY } = this.options;
    if (expected <= FEW) await this.enumerate(2 * expected + FEW_MORE);
    if (this.orders?.all) return;
    await this.random(count, SEARCH_MS);
    await this.exhaust();
    await this.keepBehind();
  }

  /** Seeded random orders, as many as asked for or until the budget ends; they size the tree of all orders. */
  async random(count: number, forMs = Number.POSITIVE_INFINITY): Promise<void> {
    const started = performance.now();
    let leaves = 0;
    let ran = 0;
    this.novelty.begin();
    for (; ran < count && !this.mayNot && !this.novelty.isOver; ran++) {
      if (isEnough(ran, performance.now() - started, forMs)) break;
      const seed = this.options.seed + ran;
      const spec: StrategySpec = { kind: 'random', seed };
      leaves += Math.exp((await this.force('random', unplanned(`random-${seed}`), spec, null)).breadth);
    }
    if (ran === 0) return;
    this.orders = { count: leaves / ran, all: false };
    this.msPerRun = (performance.now() - started) / ran;
  }

  /** Where nothing fails and the orders are too many: some in which whole activities stay behind. */
  async keepBehind(): Promise<void> {
    if (this.orders?.all) return;
    await this.priorities(PRIORITIES, SEARCH_MS, () => this.findings.length > 0);
  }

  /** Orders by priorities, as many as asked for or until the budget ends. */
  async priorities(count: number, forMs = Number.POSITIVE_INFINITY, isOver = () => false): Promise<void> {
    const started = performance.now();
    this.novelty.begin();
    for (let n = 0; n < count && !isOver() && !this.mayNot && !this.novelty.isOver; n++) {
      if (isEnough(n, performance.now() - started, forMs)) break;
      const plan = pctPlan(this.options.seed + n, this.natural.length);
      await this.force('random', unplanned(`pct-${plan.seed}`), { kind: 'pct', ...plan }, null);
    }
  }

  /** The same as {@link random}, with answers later than the limit. */
  async randomLate(): Promise<void> {
    for (let n = 0; n < RANDOM_LEAST && !this.mayNot; n++) {
      const seed = this.options.seed + n;
      await this.force('random', unplanned(`random-${seed}${LATE}`), { kind: 'random', seed }, null);
    }
  }

  /** Where nothing fails and all orders can be executed in a short time: all of them. */
  async exhaust(): Promise<void> {
    if (!this.orders || this.findings.length > 0) return;
    const affordable = Math.min(this.budget.left, EXHAUST_MS / this.msPerRun);
    if (this.orders.count <= affordable) await this.enumerate();
  }

  /** Goes on with the enumeration of all orders, for so many of them or to its end, or until it can prove nothing any more. */
  async enumerate(count = Number.POSITIVE_INFINITY): Promise<void> {
    const { enumeration, options } = this;
    const last = enumeration.count + count;
    while (enumeration.next !== null && enumeration.count < last && !this.mayNot) {
      if (!enumeration.exact && options.strategy !== 'dfs') return;
      const spec: StrategySpec = { kind: 'prefix', prefix: enumeration.next };
      enumeration.took(await this.force('dfs', unplanned(`dfs-${enumeration.count}`), spec, null));
    }
    if (enumeration.isComplete) this.orders = { count: enumeration.count, all: true };
  }

  /** Why nothing more may be searched for, or null. */
  private get mayNot(): string | null {
    if (this.hung >= MOST_HUNG) this.budget.refused ??= HUNG;
    return this.hung >= MOST_HUNG ? HUNG : this.budget.ended;
  }

  async force(
    origin: Origin,
    schedule: Schedule,
    spec: StrategySpec,
    cutPoint: CutPoint | null,
  ): Promise<RunResult> {
    this.options.planned?.(schedule, spec, origin);
    this.budget.used += 1;
    const { assumed = NOTHING_ASSUMED } = this.options;
    const own: Assumptions = { ...assumed, late: schedule.id.endsWith(LATE) };
    const result = await this.executor.execute(spec, own);
    this.novelty.met(result.steps);
    if (result.failure?.kind === 'timeout') this.hung += 1;
    const verdict =
      provisionalVerdict(result, cutPoint !== null) ??
      (await this.examine(origin, schedule, spec, cutPoint, own, result));
    this.verdicts.set(schedule.id, verdict);
    this.options.judged?.(schedule, verdict, result);
    return result;
  }

  /** What a run did. Of one that did not answer any more only a process of its own leaves that behind. */
  private async stepsOf(
    spec: StrategySpec,
    assumed: Assumptions,
    { steps, failure }: RunResult,
  ): Promise<readonly string[]> {
    if (steps.length > 0 || failure?.kind !== 'timeout') return steps;
    return (await this.executor.executeFresh(spec, assumed)).steps;
  }

  /** A failure: known, or to be confirmed. */
  private async examine(
    origin: Origin,
    schedule: Schedule,
    spec: StrategySpec,
    cutPoint: CutPoint | null,
    assumed: Assumptions,
    result: RunResult,
  ): Promise<Verdict> {
    const won: Verdict = result.outcome === 'deadlock' ? 'deadlock' : 'confirmed';
    // A diverged run failed in the order that it really took: that is the order to confirm.
    const isEndless = result.failure?.kind === 'timeout';
    const followed = spec.kind === 'directed' && (result.followed === 'followed' || isEndless);
    if (this.options.confirmed?.has(fingerprintOf(result))) return won;
    const known = this.findings.filter((f) => sameFailure(f.result, result));
    const sure = known.find((f) => !assumes(f.assumed));
    const same = sure ?? (assumed.late ? known[0] : undefined);
    if (same) {
      if (cutPoint && followed) same.variants.push(cutPoint);
      if (same.orders.length < MAX_ORDERS) same.orders.push(result.steps);
      return sure ? won : 'conditional';
    }
    const point = followed ? cutPoint : null;
    const order = (steps: readonly string[]): StrategySpec => ({
      kind: 'directed',
      schedule: { ...schedule, steps },
      cutPoint: point,
    });
    const fails = async (steps: readonly string[]): Promise<boolean> =>
      sameFailure(await this.executor.execute(order(steps), assumed), result);
    const confirmed = (steps: readonly string[], under: Assumptions): Promise<Confirmation> =>
      confirm((s) => this.executor.executeFresh(s, under), order(steps), result, this.options.confirm);
    const start = followed ? schedule.steps : await this.stepsOf(spec, assumed, result);
    // Each run of an order that does not end takes as long as a run may.
    let steps = followed || isEndless ? start : await minimise(start, this.natural, fails);
    let rests = assumed;
    let confirmation: Confirmation | null = null;
    if (assumes(assumed)) {
      // Perhaps it needs no assumption: the same order of what is left without it.
      const bare = steps.filter((step) => !isAssumedStep(step));
      const tried = await this.executor.execute(order(bare), NOTHING_ASSUMED);
      if (sameFailure(tried, result)) confirmation = await confirmed(bare, NOTHING_ASSUMED);
      if (confirmation?.confirmed) [steps, rests] = [bare, NOTHING_ASSUMED];
      else if (known[0]) return 'conditional';
      else confirmation = null;
    }
    confirmation ??= await confirmed(steps, assumed);
    if (!confirmation.confirmed) return 'unknown';
    const finding: Finding = {
      origin,
      schedule,
      steps,
      cutPoint: point,
      result: confirmation.result,
      confirmation,
      assumed: rests,
      schedulesUntilFound: this.budget.used,
      orders: [confirmation.result.steps],
      variants: [],
    };
    this.findings.push(finding);
    await this.options.found?.(finding);
    return assumes(rests) ? 'conditional' : won;
  }
}

/** Whether a search has had its time, and a few runs at least, unless these are very slow. */
const isEnough = (runs: number, ms: number, forMs: number): boolean =>
  ms > (runs < LEAST ? LEAST : 1) * forMs;

/** True when something is taken for granted. */
export const assumes = ({ late, io }: Assumptions): boolean => late || io;

function unplanned(id: string): Schedule {
  return { id, cutPoint: null, steps: [], moves: 0, switches: 0, stallMs: 0 };
}
