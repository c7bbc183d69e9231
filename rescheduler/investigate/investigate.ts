/**
 * Stage 3 for one test, whatever its program is: runs the orders that are proposed for it, and confirms each failure in
 * fresh processes.
 */
import type { CutPoint, Origin, Schedule } from '../../data/prediction.ts';
import type { ReportBug } from '../../data/report.ts';
import { type Assumptions, NOTHING_ASSUMED, type RunResult, type StrategySpec } from '../../data/run.ts';
import type { Verdict } from '../../data/verdicts.ts';
import { isAssumedStep } from '../../monitor/host/assumed.ts';
import type { Attempt, Known, Orders, Recorded, Tried } from './attempt.ts';
import { Budget } from './budget.ts';
import { type Confirmation, confirm, fingerprintOf, sameFailure } from './confirm.ts';
import { withEndless } from './endless.ts';
import { LATE } from './late.ts';
import { Novelty } from './novelty.ts';
import { provisionalVerdict } from './verdict.ts';

/** The ways to run a test that investigation needs. */
export interface Executor {
  /** What was recorded on the way comes with the result. */
  execute(spec: StrategySpec, assumed: Assumptions): Promise<Tried>;
  executeFresh(spec: StrategySpec, assumed: Assumptions): Promise<RunResult>;
  /** Absent: its runs are not recorded but once. */
  record?(spec: StrategySpec, assumed: Assumptions): Promise<Recorded & { readonly result: RunResult }>;
}

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
  readonly orders: Known['orders'];
  /** Runs that no prediction led to, and how many of these were an order that no run before was. */
  readonly search: { readonly tried: number; readonly orders: number };
  readonly bounded: Known['bounded'];
  /** Set when a budget cut it short; `left`: predicted orders that were not forced. */
  readonly ended: { readonly left: number; readonly limit: string } | null;
}

export interface InvestigateOptions {
  readonly maxSchedules: number;
  readonly maxTimeMs: number;
  /** Schedules that an earlier command on the same store has forced. */
  readonly used?: number;
  readonly confirm: number;
  readonly signal?: AbortSignal | undefined;
  /** Called before a schedule is run, so that it is known even when the process dies in it. */
  readonly planned?: (attempt: Attempt) => void;
  readonly judged?: (schedule: Schedule, verdict: Verdict, result: RunResult) => void;
  /**
   * A failure was confirmed; what it is. Awaited before its schedule is judged, so that a judged one is never lost. One that is no race
   * ends no search for one.
   */
  readonly found?: (finding: Finding) => Promise<ReportBug['class']>;
  /** What runs may take for granted; a failure is then tried without, too. */
  readonly assumed?: Assumptions;
  /** Asked before each run: enough was found. */
  readonly isEnough?: () => boolean;
  /** By fingerprint, failures that an earlier command on this test has confirmed: they are not met anew. */
  readonly confirmed?: ReadonlyMap<string, ReportBug['class']>;
}

/** Failing orders of one finding that are kept. */
const MAX_ORDERS = 6;
/** Each run that does not end takes as long as a run may: after so many nothing more is searched for. */
const MOST_HUNG = 4;
const HUNG = 'orders that do not end';

export async function investigate(
  executor: Executor,
  orders: Orders,
  options: InvestigateOptions,
): Promise<Investigation> {
  const inquiry = new Inquiry(executor, orders, options);
  const attempts = orders.attempts(inquiry);
  try {
    for (let next = attempts.next(); !next.done; ) {
      if (options.isEnough?.() || inquiry.refuses(next.value)) break;
      next = attempts.next(await inquiry.force(next.value));
    }
  } catch (error) {
    // The run under way was ended with the budget: it is left, and everything before it counts.
    if (!inquiry.budget.ended) throw error;
  }
  return inquiry.end();
}

class Inquiry implements Known {
  readonly budget: Budget;
  readonly novelty = new Novelty();
  orders: Known['orders'] = null;
  bounded: Known['bounded'] = null;
  hasRace: boolean;
  asideMs = 0;
  private readonly executor: Executor;
  private readonly program: Orders;
  private readonly options: InvestigateOptions;
  private readonly findings: Finding[] = [];
  private readonly verdicts = new Map<string, Verdict>();
  /** Orders that came to no end. */
  private hung = 0;
  /** By fingerprint: how often it did not fail alike, or passed no control, in fresh processes. */
  private readonly refuted = new Map<string, number>();

  constructor(executor: Executor, program: Orders, options: InvestigateOptions) {
    this.executor = {
      execute: async (...how) => withEndless(await executor.execute(...how)),
      executeFresh: async (...how) => withEndless(await executor.executeFresh(...how)),
      ...(executor.record && { record: executor.record.bind(executor) }),
    };
    this.program = program;
    this.options = options;
    this.hasRace = [...(options.confirmed?.values() ?? [])].includes('race');
    this.budget = new Budget(options);
  }

  get failures(): number {
    return this.findings.length + (this.options.confirmed?.size ?? 0);
  }

  get refutations(): number {
    return Math.max(0, ...this.refuted.values());
  }

  get left(): number {
    return this.budget.left;
  }

  get leftMs(): number {
    return this.budget.leftMs;
  }

  end(): Investigation {
    const { bounded, budget, findings, novelty, orders, program, verdicts } = this;
    const limit = orders?.all ? null : budget.refused;
    const left = program.predicted.filter(({ id }) => !verdicts.has(id)).length;
    return {
      findings,
      verdicts,
      forced: budget.used,
      orders,
      search: { tried: novelty.tried, orders: novelty.orders },
      bounded,
      ended: limit === null ? null : { left, limit },
    };
  }

  /** Whether nothing more may be run. What was predicted is, though many orders do not end. */
  refuses({ origin }: Attempt): boolean {
    const { budget } = this;
    const isHung = origin !== 'directed' && this.hung >= MOST_HUNG;
    if (isHung) budget.refused ??= HUNG;
    return isHung || budget.ended !== null;
  }

  async force(attempt: Attempt): Promise<Tried> {
    const { cutPoint, origin, schedule, spec } = attempt;
    this.options.planned?.(attempt);
    this.budget.used += 1;
    const { assumed = NOTHING_ASSUMED } = this.options;
    const own: Assumptions = { ...assumed, late: schedule.id.endsWith(LATE) };
    const recording = attempt.records && (await this.executor.record?.(spec, own));
    const result = recording ? withEndless(recording.result) : await this.executor.execute(spec, own);
    this.novelty.met(result, origin);
    if (result.failure?.kind === 'timeout') this.hung += 1;
    const ran = performance.now();
    const verdict =
      provisionalVerdict(result, cutPoint !== null) ?? (await this.examine(attempt, own, result));
    this.asideMs += performance.now() - ran;
    this.verdicts.set(schedule.id, verdict);
    this.options.judged?.(schedule, verdict, result);
    const { result: _, ...recorded } = recording || { result };
    return { ...result, ...recorded };
  }

  /** The result, with what a run did that did not answer any more: only a process of its own leaves that behind. */
  private async withSteps(spec: StrategySpec, assumed: Assumptions, result: RunResult): Promise<RunResult> {
    if (result.steps.length > 0 || result.failure?.kind !== 'timeout') return result;
    const { steps } = await this.executor.executeFresh(spec, assumed);
    return { ...result, steps };
  }

  /** A failure: known, or to be confirmed. */
  private async examine(attempt: Attempt, assumed: Assumptions, result: RunResult): Promise<Verdict> {
    const { cutPoint, origin, schedule, spec } = attempt;
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
    const order = (steps: readonly string[]): StrategySpec => {
      const isPredicted = followed && steps === schedule.steps;
      return {
        kind: 'directed',
        schedule: { ...schedule, steps },
        cutPoint: isPredicted ? cutPoint : null,
      };
    };
    const fails = async (steps: readonly string[]): Promise<boolean> =>
      sameFailure(await this.executor.execute(order(steps), assumed), result);
    const print = fingerprintOf(result);
    // What chance makes fail is met again and again, and confirmed some day: each time takes more to be believed.
    const times = this.options.confirm + (this.refuted.get(print) ?? 0);
    const confirmed = (steps: readonly string[], under: Assumptions): Promise<Confirmation> =>
      confirm((s) => this.executor.executeFresh(s, under), order(steps), result, times);
    const failing = followed ? result : await this.withSteps(spec, assumed, result);
    let steps = await this.program.smallest(attempt, failing, followed, fails);
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
    if (!confirmation.confirmed) {
      this.refuted.set(print, 1 + (this.refuted.get(print) ?? 0));
      return 'unknown';
    }
    const finding: Finding = {
      origin,
      schedule,
      steps,
      cutPoint: followed ? cutPoint : null,
      result: confirmation.result,
      confirmation,
      assumed: rests,
      schedulesUntilFound: this.budget.used,
      orders: differing(confirmation.result.steps, failing.steps),
      variants: [],
    };
    this.findings.push(finding);
    const kind = await this.options.found?.(finding);
    if (kind !== 'timing') this.hasRace = true;
    return assumes(rests) ? 'conditional' : won;
  }
}

/** The order that was confirmed, and the one that was met, of which it was made. */
const differing = (confirmed: readonly string[], met: readonly string[]): (readonly string[])[] =>
  met.join('\n') === confirmed.join('\n') ? [confirmed] : [confirmed, met];

/** True when something is taken for granted. */
export const assumes = ({ late, io }: Assumptions): boolean => late || io;
