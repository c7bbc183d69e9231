/** A program that starts its own workers, or one test case of it: executions have processes of their own, or one that lasts. */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Failure } from '../../data/run.ts';
import type { RunnerName } from '../../data/runners.ts';
import { realThreads } from '../../data/threads/tasks.ts';
import type { LoaderConfig } from '../../monitor/loader/index.ts';
import { entryUrl } from '../entry.ts';
import { plainFailure } from '../failure.ts';
import { type CaseId, type Recipe, readWhole } from '../subjects/job.ts';
import { type Ended, relaunchFor } from '../subjects/launch.ts';
import { OutputTail } from '../subjects/output.ts';
import { subjectId } from '../subjects/protocol.ts';
import { type ProcessSource, recipeOf, type SubjectSource } from '../subjects/source.ts';
import { orderOf } from '../tokens/order.ts';
import type {
  ThreadExecuteOptions,
  ThreadedTest,
  ThreadReply,
  ThreadResult,
  ThreadSpec,
} from '../tokens/protocol.ts';
import { withoutReply } from '../tokens/subject.ts';
import { type Left, notesOf } from './ending.ts';
import type { ExecutionJob } from './execution.ts';
import { type Note, readNotes } from './notes.ts';
import { type ProgramReply, replyOf } from './reply.ts';
import { WarmRuns } from './warm-runs.ts';

/** Who was at work for such a share of the time waits for nothing. */
const SPUN = 0.5;
/** Start-up and end of the process may take this long beyond the watchdog of the run itself. */
const MARGIN_MS = 5000;
/** To see whether a process can last takes as long as a few executions: first there are so many in processes of their own. */
const COLD = 2;
/** Runs a script under the gate. */
const MAIN_ENTRY = fileURLToPath(entryUrl('./gated/main-entry', import.meta.url));

/** A schedule tells the steps of event loops, unless they were not under the gate. */
const isOfFreeLoops = (spec: ThreadSpec): boolean =>
  spec.kind === 'directed' && spec.schedule.threads !== undefined && !spec.schedule.deliveries;

/** A thread came to something that others can share, or nobody looked. */
const isTouch = (note: Note): boolean => 'touched' in note || 'unseen' in note || 'unfit' in note;

/** Why a run in the natural order says nothing about the others; null: it does. */
function whyDoubtful({ doubts, ran }: ProgramReply): string | null {
  if (doubts.length > 0) return doubts.join(', ');
  return ran.failure?.name === 'Timeout' ? 'something that does not come' : null;
}

export class ProgramSubject implements ThreadedTest {
  readonly kind: 'script' | RunnerName;
  readonly id: string;
  readonly file: string;
  readonly name: string;
  readonly source: SubjectSource | null;
  private readonly recipe: Recipe;
  private readonly target: CaseId | null;
  private readonly config: LoaderConfig;
  private readonly tail = new OutputTail();
  /** Of the first recorded execution: the numbers of threads are the same in all others. */
  private names: readonly string[] = [];
  /** Why the event loops of its threads are not under the gate; null: they are. */
  private outside: string | null = null;
  private readonly warm: WarmRuns;
  /** The warm process behaves like fresh ones. */
  private trusted = false;
  private executions = 0;
  /** It was executed. */
  private isKnown = false;
  /** The observed order in a process of its own. */
  private observed: ThreadResult | null = null;

  /** `target`: null where the program itself is the subject; else a case of `runner`. */
  constructor(
    recipe: Recipe,
    target: CaseId | null,
    source: ProcessSource | null,
    config: LoaderConfig,
    runner: RunnerName = 'node-test',
  ) {
    const file = target?.file ?? recipe.argv[0]!;
    this.kind = target ? runner : 'script';
    this.file = relative(config.cwd, file);
    this.name = target?.name ?? [this.file, ...recipe.argv.slice(1)].join(' ');
    this.id = `${subjectId(this.file, this.name, target?.ordinal ?? 0)} (threads)`;
    this.source = source && { kind: 'program', of: source };
    this.recipe = recipe;
    this.target = target;
    this.config = config;
    this.warm = new WarmRuns(recipe, target, config, this.tail);
    if (target && runner !== 'node-test') this.warm.unfit = `a test of ${runner}`;
  }

  static open(source: ProcessSource, config: LoaderConfig): ProgramSubject {
    const { file, kind, name, ordinal } = source;
    const target = kind === 'script' ? null : { file, name, ordinal };
    const runner = kind === 'script' ? undefined : kind;
    return new ProgramSubject(recipeOf(source), target, source, config, runner);
  }

  /** One execution with its trace, warm where that is sound; `record`: and with its transactions. */
  async execute(spec: ThreadSpec, options: ThreadExecuteOptions, record = false): Promise<ThreadReply> {
    if (!record && this.isKnown && this.outside === null && (await this.isWarm(options))) {
      const started = performance.now();
      const ended = await this.warm.run(this.ordersOf(spec, record), options);
      if (ended) {
        const reply = replyOf(spec, ended.left, ended.notes, performance.now() - started);
        return this.told({ ...reply, reusable: ended.reusable });
      }
    }
    return this.cold(spec, options, record);
  }

  /**
   * The same in a process of its own. Where the event loops of its threads cannot be under the gate, from here on they go
   * their own way.
   */
  private async cold(spec: ThreadSpec, options: ThreadExecuteOptions, record: boolean): Promise<ThreadReply> {
    const isFirst = !this.isKnown;
    if (isFirst && isOfFreeLoops(spec)) this.outside = 'they were when it was recorded';
    const reply = await this.once(spec, options, record);
    this.isKnown = true;
    if (spec.kind === 'observed' && !record) this.observed = reply.ran;
    if (this.outside !== null) return this.told(reply);
    const why = reply.unfit ?? (isFirst && spec.kind === 'observed' ? whyDoubtful(reply) : null);
    if (why === null) return this.told(reply);
    this.outside = why;
    this.names = [];
    return {
      ...(await this.cold(spec, options, record)),
      isUntouched: reply.isUntouched ?? false,
      hasSpun: reply.hasSpun ?? false,
    };
  }

  /** Whether executions are warm by now; `true` means that the next one may be. */
  private async isWarm(options: ThreadExecuteOptions): Promise<boolean> {
    if (this.trusted || this.warm.unfit !== null) return this.warm.unfit === null;
    if (++this.executions <= COLD) return false;
    const spec = { kind: 'observed' } as const;
    const ran = this.observed ?? this.told(await this.once(spec, options, false)).ran;
    for (let trial = 0; trial < 2 && this.warm.unfit === null; trial++) {
      const ended = await this.warm.run(this.ordersOf(spec, false), options);
      const again = ended && replyOf(spec, ended.left, ended.notes, 0).ran;
      if (again?.outcome !== 'pass' || again.traceHash !== ran.traceHash)
        this.warm.unfit ??= 'it does not take the same steps';
    }
    if (this.warm.unfit !== null) await this.warm.close();
    else this.trusted = true;
    return this.trusted;
  }

  private ordersOf(
    spec: ThreadSpec,
    record: boolean,
    callsAt: readonly string[] | null = null,
  ): ExecutionJob {
    const { chance, deliveries = false, grants, without } = orderOf(spec);
    const directed = spec.kind === 'directed' ? spec.schedule : null;
    return {
      grants: Array.from(grants),
      chance,
      without,
      names: directed?.threads ? realThreads(directed.threads) : this.names,
      transactions: record,
      callsAt,
      gated: this.outside === null ? { deliveries: directed?.deliveries ?? null, random: deliveries } : null,
    };
  }

  private told(reply: ThreadReply): ThreadReply {
    if (this.names.length === 0) this.names = realThreads(reply.trace?.names.threads ?? []);
    if (this.outside === null) return reply;
    const ungated = { ...reply.ran.ungated, [`event loops of threads, for ${this.outside}`]: 1 };
    return { ...reply, ran: { ...reply.ran, ungated } };
  }

  private async once(
    spec: ThreadSpec,
    { callsAt, signal, verbose = false, watchdogMs }: ThreadExecuteOptions,
    record: boolean,
  ): Promise<ProgramReply> {
    const recipe =
      this.outside === null && !this.target
        ? { ...this.recipe, argv: [MAIN_ENTRY, ...this.recipe.argv] }
        : this.recipe;
    this.tail.clear();
    const started = performance.now();
    const { ended, left } = await relaunchFor(
      recipe,
      {
        mode: 'threads',
        config: this.config,
        target: this.target,
        ...this.ordersOf(spec, record, callsAt),
      },
      this.tail,
      { signal, verbose, timeoutMs: watchdogMs + MARGIN_MS },
      (out) => {
        const notes = existsSync(notesOf(out)) ? readNotes(notesOf(out)) : [];
        return { whole: existsSync(out) ? readWhole<Left>(out) : null, notes };
      },
    );
    const durationMs = performance.now() - started;
    // What did not end by itself is no verdict, whatever it has left.
    if (left.whole && !ended.timedOut) return replyOf(spec, left.whole, left.notes, durationMs, record);
    const unfit = left.notes.find((note) => 'unfit' in note)?.unfit ?? null;
    const isUntouched = !left.notes.some(isTouch);
    const hasSpun = ended.timedOut && ended.computedMs >= SPUN * durationMs;
    return { ...withoutReply(...this.howEnded(ended), durationMs), unfit, doubts: [], isUntouched, hasSpun };
  }

  async executeFresh(spec: ThreadSpec, options: ThreadExecuteOptions): Promise<ThreadResult> {
    return (await this.cold(spec, options, false)).ran;
  }

  output(): string {
    return this.tail.toString();
  }

  async close(): Promise<void> {
    await this.warm.close();
  }

  private howEnded({ code, error, exitSignal, timedOut }: Ended): ['fail' | 'unknown', Failure] {
    if (error) return ['unknown', plainFailure('exception', 'NotStarted', error.message)];
    if (timedOut)
      return ['unknown', plainFailure('timeout', 'Timeout', 'the process did not end and was killed')];
    if (exitSignal)
      return ['fail', plainFailure('exception', 'ProcessEnded', `the process was killed by ${exitSignal}`)];
    const how = `it exited with code ${code} before it ran: ${this.tail.complaint()}`;
    return ['unknown', plainFailure('exception', 'NotReached', how)];
  }
}
