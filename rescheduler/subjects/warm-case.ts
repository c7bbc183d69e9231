/**
 * Runs of one test case in a warm process, as long as that process behaves like the real one: it must take
 * the recorded steps and end as the recorded run did, twice in turn, before it is believed. Failures found there are confirmed
 * by the real runner, and so are orders in which a test passes that fails naturally, so that what our loop over hooks and
 * body does not reproduce costs time and never truth.
 *
 * The process may have run other cases of the file. Where it does not behave there, or fails, this case is tried again
 * in a process that had none before.
 *
 * What other cases of the suite had left behind may have changed the recorded steps (a connection that is kept, a cache).
 * So a case that takes other ones there, with its files in memory and on the disk, is run by the real runner alone, once, and
 * compared with that. Where that was it for one case of a command it mostly is for the next: that one is asked so at once, and need
 * not have a process that none had before.
 */

import type { RunResult, StrategySpec } from '../../data/run.ts';
import type { ViaLoaders } from '../../monitor/modules/linker.ts';
import { ENDLESS_TURN } from '../failure.ts';
import { sameFailure } from '../investigate/confirm.ts';
import { isServed } from '../runners/warm-start.ts';
import { loadersOf } from './job.ts';
import { withoutAnswer } from './no-answer.ts';
import type { OutputTail } from './output.ts';
import { MARGIN_MS, type ProcessSubjectOptions } from './process-subject.ts';
import { type ExecuteOptions, type Recording, SubjectError } from './protocol.ts';
import { sameSteps } from './same-steps.ts';
import type { WarmPool, WarmWorker } from './warm-pool.ts';
import { WorkerDied, WorkerTimeout } from './worker-client.ts';
import type { RunReply } from './worker-protocol.ts';

/** After so many processes that died or hung, the case is run in processes of its own. */
const MOST_DEATHS = 3;
const RUNS_PER_WORKER = 5000;
/** Once there was an answer, all but the run itself takes no longer than so many times the longest one. */
const SLOWER = 3;
const LEAST_MARGIN_MS = 1000;
/** So often in turn it must behave like one and the same real run. */
const TRIALS = 2;
/** After so many runs it has to: what it is like at first may be what a package does at its first use, which recorded runs have behind them. */
const MOST_TRIALS = 5;

/** One run that is wanted. */
interface WantedRun {
  readonly spec: StrategySpec;
  readonly options: ExecuteOptions;
  readonly record: boolean;
}

type WarmAnswer = Pick<RunReply, 'result' | 'trace'>;

type RunAlone = (spec: StrategySpec, options: ExecuteOptions) => Promise<RunResult>;

export class WarmCase {
  private readonly subject: ProcessSubjectOptions;
  /** What real runs did: the recorded one, and one alone once there was one. */
  private readonly reals: RunResult[];
  /** Which of them it has to be like; null until a run was. */
  private real: RunResult | null = null;
  /** Has the real runner run the case alone; null once it was asked. */
  private runAlone: RunAlone | null;
  private readonly output: OutputTail;
  private readonly pool: WarmPool;
  private worker: WarmWorker | null = null;
  /** Started with loaders of the user: the linker stands in for what they do. */
  private readonly viaLoaders: ViaLoaders;
  /** Errors may read otherwise there: modules were read by loaders of the user. */
  private readsOtherwise: boolean;
  /** A failure seen there that the real runner is to tell, and those that it told in the same words. */
  private toTell: RunResult | null = null;
  private readonly told = new Set<string>();
  /** It takes no process that other cases had. */
  private isAlone = false;
  /** Nothing but passes, so far: what ends otherwise may leave its process in any state. */
  private isClean = true;
  private deaths = 0;
  /** How the last of them was told; null where there was none. */
  private lastDeath: string | null = null;
  /** The longest time that an answer took, loading included, ms; 0 before the first one. */
  private slowestMs = 0;
  /** Runs in which it behaved like the real one. */
  private trials = 0;
  /** Why the case is not run warm; null as long as it is. */
  unfit: string | null;

  constructor(
    subject: ProcessSubjectOptions,
    recorded: RunResult,
    output: OutputTail,
    pool: WarmPool,
    runAlone: RunAlone,
  ) {
    this.subject = subject;
    this.reals = [recorded];
    this.runAlone = runAlone;
    this.output = output;
    this.pool = pool;
    const { env, execArgv } = subject.recipe;
    this.viaLoaders = isServed(subject.runner ?? 'node-test') ? false : loadersOf({ execArgv, env });
    this.readsOtherwise = this.viaLoaders !== false;
    // What another case leaves behind is no matter where every run leaves something.
    this.isAlone = recorded.outcome !== 'pass';
    this.unfit = recorded.outcome === 'unknown' ? 'the recorded run came to no end' : null;
  }

  /** The result, or null: run it in a process of its own. */
  async run(spec: StrategySpec, options: ExecuteOptions): Promise<RunResult | null> {
    const done = await this.judged({ spec, options, record: false });
    this.toTell = null;
    const { result = null } = done ?? {};
    const failure = result?.failure;
    if (!this.readsOtherwise || !failure || this.told.has(failure.fingerprint)) return result;
    this.toTell = result;
    return null;
  }

  /** The run with its trace, or null: record it in a process of its own. */
  async record(spec: StrategySpec, options: ExecuteOptions): Promise<Recording | null> {
    const { result, trace } = (await this.judged({ spec, options, record: true })) ?? {};
    if (!result || !trace || result.outcome === 'unknown') return null;
    return result.failure && this.readsOtherwise ? null : { result, trace };
  }

  /** What came of a run that was left to a process of its own. */
  hear({ outcome, failure }: RunResult): void {
    const { toTell } = this;
    this.toTell = null;
    if (failure && outcome === toTell?.outcome && failure.fingerprint === toTell.failure?.fingerprint)
      this.told.add(failure.fingerprint);
  }

  private async judged(wanted: WantedRun): Promise<WarmAnswer | null> {
    const done = await this.tried(wanted);
    if (done?.result.outcome === 'pass' || !this.worker?.isShared) return done;
    // Perhaps it is what another case has left there.
    await this.drop();
    this.isAlone = true;
    this.trials = 0;
    this.real = null;
    this.unfit = null;
    return this.tried(wanted);
  }

  /** Ends the warm processes that a new one may not be beside; whether there was one. The next run starts its own. */
  async makeRoom(): Promise<boolean> {
    const lives = this.worker?.client.alive === true;
    await this.drop();
    return (await this.pool.makeRoom()) || lives;
  }

  /** The case is over. */
  async close(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    if (!worker) return;
    const mayGoOn = this.unfit === null && this.isClean && !this.isAlone && worker.client.alive;
    await (mayGoOn ? this.pool.giveBack(worker) : worker.client.close());
  }

  private async tried(wanted: WantedRun): Promise<WarmAnswer | null> {
    const { spec, options, record } = wanted;
    if (this.unfit !== null) return null;
    for (let tried = 0; this.trials < TRIALS; tried++) {
      const done = await this.once({ spec: { kind: 'observed' }, options, record: false });
      const result = done?.result;
      let isLike = result !== undefined && this.agrees(result);
      if (result && !isLike) {
        if (this.endsAlike(result) && (await this.movesToDisk(options))) continue;
        isLike = await this.agreesAlone(result, options);
      }
      if (!isLike || tried >= MOST_TRIALS) {
        this.unfit ??= (result ? null : this.lastDeath) ?? 'it does not take the recorded steps';
        if (!this.worker?.isShared) await this.drop();
        return null;
      }
      this.trials += 1;
      if (spec.kind === 'observed' && !record) return done;
    }
    return this.once(wanted);
  }

  private async drop(): Promise<void> {
    await this.worker?.client.close();
    this.worker = null;
  }

  private endsAlike(result: RunResult): boolean {
    return sameFailure(this.reals[0]!, result);
  }

  /** Whether it went as a real run; where that is another one than before, trials begin anew. */
  private agrees(result: RunResult): boolean {
    if (!this.endsAlike(result)) return false;
    const like = this.reals.filter(({ steps }) => sameSteps(steps, result.steps));
    const [first] = like;
    if (first && (this.real === null || !like.includes(this.real))) {
      this.real = first;
      this.trials = 0;
    }
    return first !== undefined;
  }

  /** Whether it has another process now, whose temporary files are on the disk. One that agreed before has no need of that. */
  private async movesToDisk({ verbose = false }: ExecuteOptions): Promise<boolean> {
    if (this.trials > 0 || this.worker?.isShared || !this.pool.moveToDisk({ subject: this.subject, verbose }))
      return false;
    await this.drop();
    return true;
  }

  /** Once no other case can be what disturbs this one here, or it is known that others have changed what was recorded. */
  private async agreesAlone(result: RunResult, options: ExecuteOptions): Promise<boolean> {
    const { pool, runAlone, worker } = this;
    if (!runAlone || !this.endsAlike(result) || (worker?.isShared && !pool.recordsOthers)) return false;
    this.runAlone = null;
    const alone = await runAlone({ kind: 'observed' }, options);
    if (this.endsAlike(alone)) this.reals.push(alone);
    if (!this.agrees(result)) return false;
    pool.recordsOthers = true;
    return true;
  }

  /** How long loading and hooks may take beyond the run itself, ms. */
  private get margin(): number {
    return this.slowestMs === 0 ? MARGIN_MS : Math.max(LEAST_MARGIN_MS, SLOWER * this.slowestMs);
  }

  private async once({ spec, options, record }: WantedRun): Promise<WarmAnswer | null> {
    const { subject, output, pool, viaLoaders } = this;
    const { limits, wantChoices = false, signal, verbose = false } = options;
    const wish = { subject, verbose };
    if (!this.worker?.client.alive || this.worker.runs >= RUNS_PER_WORKER) {
      await this.drop();
      this.unfit = pool.whyExcluded(wish);
      if (this.unfit !== null) return null;
      this.worker = this.isAlone ? pool.start(wish, output) : pool.take(wish, output);
    }
    const { worker } = this;
    worker.runs += 1;
    const { recipe, target } = subject;
    const entry = recipe.argv[0]!;
    const request = {
      kind: 'case',
      entry,
      file: target.file,
      target,
      runner: subject.runner ?? 'node-test',
      viaLoaders,
      spec,
      limits,
      wantChoices,
      record,
    } as const;
    const started = performance.now();
    try {
      const reply = await worker.client.request(request, limits.watchdogMs + this.margin, signal);
      this.slowestMs = Math.max(this.slowestMs, performance.now() - started);
      if ('result' in reply) {
        this.isClean &&= reply.result.outcome === 'pass';
        this.readsOtherwise ||= reply.viaLoaders === true;
        return reply;
      }
      if ('error' in reply) throw new SubjectError(reply.error.message);
      // What it could not do this time it has done before.
      const isThisRun = 'unfit' in reply && (reply.of === 'run' || (!reply.of && this.trials >= TRIALS));
      if (isThisRun) {
        if (++this.deaths >= MOST_DEATHS) this.unfit = reply.unfit;
        await this.drop();
        return null;
      }
      this.unfit = 'unfit' in reply ? reply.unfit : 'no answer';
      if ('unfit' in reply && reply.of === 'file') pool.exclude(wish, reply.unfit);
    } catch (error) {
      if (!(error instanceof WorkerDied || error instanceof WorkerTimeout || error instanceof SubjectError))
        throw error;
      // The case has answered before, so it is not loading that takes so long.
      if (error instanceof WorkerTimeout && this.slowestMs > 0) {
        this.isAlone = true;
        await this.drop();
        return { result: withoutAnswer('unknown', ENDLESS_TURN, performance.now() - started), trace: null };
      }
      this.lastDeath = error.message;
      if (this.slowestMs === 0) await pool.makeRoom();
      if (++this.deaths >= MOST_DEATHS) this.unfit = error.message;
    }
    if (!worker.isShared) await this.drop();
    return null;
  }
}
