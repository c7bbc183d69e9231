/** What the stages of one command share. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  type Assumptions,
  DEFAULT_LIMITS,
  type RunLimits,
  type RunResult,
  type StrategySpec,
} from '../../data/run.ts';
import { type Store, StoreError, type TestRecord } from '../../data/store/index.ts';
import type { Prediction, PredictionStats } from '../../predictor/predict.ts';
import { plainLine } from '../../report/plain.ts';
import { createProgress, type Progress } from '../../report/progress.ts';
import type { BugView, TestNotes } from '../../report/view.ts';
import type { PlainRuns } from '../../rescheduler/explain/witness.ts';
import { discoverAll } from '../../rescheduler/subjects/discover.ts';
import { recordCommand } from '../../rescheduler/subjects/node-test.ts';
import { openSubject, openThreads } from '../../rescheduler/subjects/open.ts';
import type { ExecuteOptions, Recording, Subject } from '../../rescheduler/subjects/protocol.ts';
import type { SubjectSource } from '../../rescheduler/subjects/source.ts';
import type { ThreadExecuteOptions, ThreadedTest } from '../../rescheduler/tokens/protocol.ts';
import { UsageError } from '../errors.ts';
import type { RunOptions, Target } from '../options.ts';
import { typed } from '../typed.ts';
import { assumptionsOf, limitsUnder } from './assumptions.ts';
import type { Changes } from './changes.ts';
import { recordedSettings, recordedSource, type Settings } from './sources.ts';
import { refineTransactions } from './transactions.ts';

/** Timers of Node take no more, ms. */
const LONGEST_MS = 2 ** 31 - 1;

export interface Counters {
  found: number;
  tried: number;
  planned: number;
}

/** Runs on plain Node; those that say nothing are not counted. */
export interface PlainNode {
  readonly ok: number;
  readonly of: number;
  readonly failures: readonly RunResult[];
}

export class StageContext {
  options: RunOptions;
  readonly store: Store;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly counters: Counters = { found: 0, tried: 0, planned: 0 };
  /** Remarks for the report, by test. */
  readonly notes = new Map<string, TestNotes>();
  /** What the predictor looked at, by test; only of this command. */
  readonly predictions = new Map<string, PredictionStats>();
  /** What its orders without a cut point are about, by test; only of this command. */
  readonly reordered = new Map<string, Prediction['reordered']>();
  /** How long the recorded run took, by test, ms; only of this command. */
  readonly recordedMs = new Map<string, number>();
  /** Files in whose process the clock went ahead in a test: each test begins at the real time, which the program has read to be later. */
  readonly leaptIn = new Set<string>();
  /** What the report shows of each bug, by bug id. */
  readonly views = new Map<string, BugView>();
  readonly subjects = new Map<string, Subject>();
  /** Harnesses of threads, and programs that start their own. */
  readonly threads = new Map<string, ThreadedTest>();
  /** What `--changed` has kept and forgotten; null: it was not asked for. */
  changes: Changes | null = null;
  /** The tests that this command is about, where others do the others; null: all. */
  shard: ReadonlySet<string> | null = null;
  /** What a command runs at present while it is recorded. */
  private readonly recording: { test: string | null } = { test: null };
  /** How often the one test that is explained passes there; null: nobody asked. */
  onPlainNode: PlainNode | null = null;
  /** Set when the run ended before its work did. */
  ended: string | null = null;
  /** Of the whole run, where this is one of a piece of work. */
  readonly whole: StageContext = this;
  private readonly deadline: number;
  /** When forcing began, or the command where it did not; ms of {@link performance.now}. */
  since = performance.now();

  constructor(options: RunOptions, store: Store, signal: AbortSignal) {
    this.options = options;
    this.store = store;
    this.signal = signal;
    this.progress = createProgress({ quiet: options.quiet });
    this.deadline = performance.now() + (options.totalTimeMs ?? Number.POSITIVE_INFINITY);
  }

  get limits(): RunLimits {
    const { maxStallMs, maxPauseMs, watchdogMs, loopback, assumeIo } = this.options;
    const bounds = { maxStallMs, maxPauseMs, watchdogMs, loopback };
    return { ...DEFAULT_LIMITS, ...bounds, assumeIo: assumeIo.length > 0 };
  }

  get execution(): ExecuteOptions {
    return { limits: this.limits, signal: this.signal, verbose: this.options.verbose };
  }

  /** What runs may take for granted. */
  get assumptions(): Assumptions {
    return assumptionsOf(this.options);
  }

  /** How to run something under some assumptions only. */
  under(assumed: Assumptions): ExecuteOptions {
    const { execution } = this;
    return { ...execution, limits: limitsUnder(execution.limits, assumed, this.options) };
  }

  /** The runs on plain Node that the user has asked for. */
  plainRuns(assumed: Assumptions): PlainRuns {
    return { of: this.options.witness, options: this.under(assumed), isOver: () => this.over };
  }

  /** Time left of the whole run, ms. */
  get left(): number {
    return this.deadline - performance.now();
  }

  /** True when no further work may begin; says why once. */
  get over(): boolean {
    if (this.signal.aborted) this.ended ??= 'interrupted';
    else if (this.left <= 0) this.ended ??= this.timeIsOver;
    return this.ended !== null;
  }

  /** What is left of the time for the whole run is too short for what is left to do. */
  endForLackOfTime(): void {
    this.ended ??= this.timeIsOver;
  }

  private get timeIsOver(): string {
    const over = `the total time of ${Math.round((this.options.totalTimeMs ?? 0) / 1000)} s is over`;
    const { test } = this.recording;
    return test === null ? over : `${over}, and '${plainLine(test)}' was being recorded`;
  }

  /**
   * The same for one piece of work that has `ms`: its signal ends what is under way when they are over, or with the run.
   * What it notes and counts is noted and counted here.
   */
  within(ms: number): StageContext {
    if (ms === Number.POSITIVE_INFINITY) return this;
    const timer = AbortSignal.timeout(Math.min(Math.max(0, Math.ceil(ms)), LONGEST_MS));
    const signal = AbortSignal.any([this.signal, timer]);
    return Object.create(this, { signal: { value: signal, enumerable: true } }) as StageContext;
  }

  /** The same for what is to be known although the time for it, or for the whole run, is over: it has `ms` from now on. */
  beyond(ms: number): StageContext {
    const signal = AbortSignal.any([this.whole.signal, AbortSignal.timeout(ms)]);
    return Object.create(this, { signal: { value: signal, enumerable: true } }) as StageContext;
  }

  /** Attempts a piece of work that ends, at the latest, with the time for the whole run, and says so. */
  async attemptInRest(work: (context: StageContext) => Promise<void>): Promise<void> {
    const rest = this.within(this.left);
    await rest.attempt(() => work(rest));
    if (!rest.signal.aborted) this.recording.test = null;
    if (rest.signal.aborted) this.ended ??= this.signal.aborted ? 'interrupted' : this.timeIsOver;
  }

  /** A piece of work that may be left out: what takes its place where the time is over. */
  async inTime<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return this.over ? otherwise : await work();
    } catch (error) {
      if (!this.signal.aborted || error instanceof StoreError) throw error;
      return otherwise;
    }
  }

  /** Does a piece of work; one that the user's interruption cut short is no error. */
  async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.signal.aborted || error instanceof StoreError) throw error;
      this.ended ??= 'interrupted';
    }
  }

  note(test: string, more: TestNotes): void {
    this.notes.set(test, { ...this.notes.get(test), ...more });
  }

  tell(phase: string, test?: string, tests?: { done: number; of: number }): void {
    this.progress.update({
      phase,
      ...(test ? { test: plainLine(test) } : {}),
      ...(tests ? { tests } : {}),
      ...this.counters,
      elapsedMs: performance.now() - this.since,
      leftMs: this.left,
    });
  }

  /** Finds the tests of the target: harnesses by looking, those of a command by running it once. */
  async findSubjects(): Promise<void> {
    await this.attemptInRest(async (rest) => {
      for (const subject of await rest.discover()) this.subjects.set(subject.id, subject);
    });
    // What was recorded until it was interrupted is here; that it was is told.
    void this.over;
  }

  /** Takes over the settings of a recording. */
  lookAs(recorded: Settings | null): void {
    this.options = { ...this.options, ...recorded };
  }

  /** Without a command of its own a later stage looks into what the recording looked into. */
  lookAsRecorded(): void {
    if (!this.goesByRecord) return;
    const [recorded] = this.store.tests().flatMap((test) => recordedSettings(test) ?? []);
    if (!recorded) return;
    const { instrument, exclude, assumeIo, allowPeers, locks } = recorded;
    this.options = { ...this.options, instrument, exclude, assumeIo, allowPeers, locks };
  }

  /**
   * One test alone: from what the store kept of it, or else with all others. Without a command of its own a
   * replay runs under the settings of the recording.
   */
  async findSubject(test: TestRecord): Promise<Subject | undefined> {
    const source = this.recorded(test);
    if (source?.kind === 'threads' || source?.kind === 'program') return undefined;
    if (source && !existsSync(source.file)) return undefined;
    if (!source) await this.findSubjects();
    else this.subjects.set(test.id, openSubject(source, this.subjectConfig));
    return this.subjects.get(test.id);
  }

  /** The same for a test of threads. */
  async findThreads(test: TestRecord): Promise<ThreadedTest | undefined> {
    const source = this.recorded(test);
    const isOfThreads = source?.kind === 'threads' || source?.kind === 'program';
    if (isOfThreads && existsSync(source.kind === 'program' ? source.of.file : source.file))
      this.threads.set(test.id, openThreads(source, this.subjectConfig));
    else {
      await this.findSubjects();
      this.addPrograms((_, { id }) => id === test.id);
    }
    return this.threads.get(test.id);
  }

  /** There is no command of its own, and what the store says may be run. */
  private get goesByRecord(): boolean {
    return this.options.target === null && this.isMine();
  }

  /** Takes over the settings of a test's recording; null where it has to be found anew. */
  private recorded(test: TestRecord): SubjectSource | null {
    if (!this.goesByRecord) return null;
    this.options = { ...this.options, ...recordedSettings(test) };
    return recordedSource(test);
  }

  /** Tests that start workers of their own become tests of threads, too, where `wanted`. */
  addPrograms(wanted: (subject: Subject, threads: ThreadedTest) => boolean): void {
    for (const subject of this.subjects.values()) {
      const threads = subject.threads?.();
      if (threads && !this.threads.has(threads.id) && wanted(subject, threads))
        this.threads.set(threads.id, threads);
    }
  }

  /** A test that may be made of operations. */
  overlapping(id: string): Subject | ThreadedTest | undefined {
    return this.subjects.get(id) ?? this.threads.get(id);
  }

  /** How threads are run. */
  get threadExecution(): ThreadExecuteOptions {
    const { watchdogMs, verbose } = this.options;
    return { watchdogMs, verbose, signal: this.signal };
  }

  /** The store was made here by this user: what it says may be run. */
  isMine(): boolean {
    return this.store.trusted && this.store.meta.cwd === this.options.cwd;
  }

  private get subjectConfig() {
    const { instrument, exclude, assumeIo, allowPeers, locks, cwd, verbose, store } = this.options;
    const cacheDir = join(dirname(resolve(cwd, store)), 'cache');
    return { instrument, exclude, assumeIo, allowPeers, locks, cwd, verbose, cacheDir };
  }

  /** Finds them anew; for a command this is another run of all of its tests. */
  async discover(): Promise<Subject[]> {
    const target = this.target();
    const config = this.subjectConfig;
    if (target.kind === 'harness') {
      const { tasks, threads } = await discoverAll(target.paths, config);
      for (const subject of threads) this.threads.set(subject.id, subject);
      return [...tasks];
    }
    const { limits } = this;
    const { signal } = this;
    const timeoutMs = this.options.commandTimeoutMs;
    // One file that does not end leaves time for the others.
    const mostQuietMs = Math.max(LEAST_QUIET_MS, (this.options.totalTimeMs ?? Number.POSITIVE_INFINITY) / 2);
    const progress = (recorded: number, current: string | null): void => {
      this.recording.test = current;
      this.tell('recording', `${recorded} recorded${current === null ? '' : ` · ${current}`}`);
    };
    const overlaps = target.kind === 'command' ? {} : { overlaps: target.kind };
    const how = { ...config, ...overlaps, limits, signal, timeoutMs, mostQuietMs, progress };
    return recordCommand(target.argv, how);
  }

  /** One recorded run, with the configuration's word on transactions. */
  async record(subject: Subject, spec?: StrategySpec, assumed?: Assumptions): Promise<Recording> {
    const options = assumed ? this.under(assumed) : this.execution;
    return this.refined(await subject.record(options, spec));
  }

  /** The same of an order of which nothing is told. */
  async recordWarm(subject: Subject, spec: StrategySpec, assumed: Assumptions): Promise<Recording> {
    if (!subject.recordWarm) return this.record(subject, spec, assumed);
    return this.refined(await subject.recordWarm(this.under(assumed), spec));
  }

  private refined({ trace, result }: Recording): Recording {
    return { trace: refineTransactions(trace, this.options), result };
  }

  /** What to run: as given, or as recorded in a store that this user made here. */
  private target(): Target {
    const { target } = this.options;
    if (target) return target;
    const { command } = this.store.meta;
    if (!command) throw new UsageError('nothing to run: give a test command after "--" or harness files');
    if (!this.isMine())
      throw new UsageError(
        `${this.store.path} was not made by you here: its command is not run; give one after "--"`,
      );
    return fromCommand(command);
  }

  async close(): Promise<void> {
    this.progress.done();
    const all = [...this.subjects.values(), ...this.threads.values()];
    await Promise.allSettled(all.map((s) => s.close()));
  }
}

const HARNESS = 'unweave:harness';
const OVERLAPPED = { requests: 'unweave:requests', calls: 'unweave:calls' } as const;

/** A target as one list of strings, the form in which the store keeps it. */
export function toCommand(target: Target): readonly string[] {
  if (target.kind === 'harness') return [HARNESS, ...target.paths];
  return target.kind === 'command' ? target.argv : [OVERLAPPED[target.kind], ...target.argv];
}

function fromCommand(command: readonly string[]): Target {
  const [kind, ...rest] = command;
  if (kind === HARNESS) return { kind: 'harness', paths: rest };
  for (const what of ['requests', 'calls'] as const)
    if (kind === OVERLAPPED[what]) return { kind: what, argv: rest };
  return { kind: 'command', argv: [...command] };
}

/** What a user types to run the same with these options. */
export function typedCommand(command: readonly string[], options: readonly string[]): string {
  const target = fromCommand(command);
  const words = (all: readonly string[]): string => all.map(typed).join(' ');
  if (target.kind === 'harness') return `unweave run ${words([...options, ...target.paths])}`;
  const how = { command: 'run', requests: 'overlap', calls: 'overlap --calls' }[target.kind];
  return `unweave ${how} ${words(options)} -- ${words(target.argv)}`;
}

/** The command that replays a bug. What is explained has a store of its own. */
export const replayBy =
  ({ isThorough, store }: Pick<RunOptions, 'isThorough' | 'store'>) =>
  (id: string): string =>
    `unweave replay ${id}${isThorough ? ` --store ${typed(store)}` : ''}`;

/** So long a file may be silent whatever the budget is: it may have much to load. */
const LEAST_QUIET_MS = 10_000;

/** Explaining one bug takes no more than this share of the time for its test. */
const SHARE = 0.25;

/** Whether the time for explaining one bug, or for the whole run, is over. */
export function explainingTime(context: StageContext): () => boolean {
  const end = performance.now() + SHARE * context.options.maxTimeMs;
  return () => performance.now() > end || context.over;
}
