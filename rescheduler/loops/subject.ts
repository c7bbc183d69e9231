/** A program that starts its own workers, or one test case of such a program: each execution is a fresh process. */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import type { Failure } from '../../data/run.ts';
import type { LoaderConfig } from '../../monitor/loader/index.ts';
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
import { readNotes } from './notes.ts';
import { replyOf } from './reply.ts';

/** Start-up and end of the process may take this long beyond the watchdog of the run itself. */
const MARGIN_MS = 5000;

export class ProgramSubject implements ThreadedTest {
  readonly kind: 'script' | 'node-test';
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

  /** `target`: null where the program itself is the subject. */
  constructor(recipe: Recipe, target: CaseId | null, source: ProcessSource | null, config: LoaderConfig) {
    const file = target?.file ?? recipe.argv[0]!;
    this.kind = target ? 'node-test' : 'script';
    this.file = relative(config.cwd, file);
    this.name = target?.name ?? [this.file, ...recipe.argv.slice(1)].join(' ');
    this.id = `${subjectId(this.file, this.name, target?.ordinal ?? 0)} (threads)`;
    this.source = source && { kind: 'program', of: source };
    this.recipe = recipe;
    this.target = target;
    this.config = config;
  }

  static open(source: ProcessSource, config: LoaderConfig): ProgramSubject {
    const { file, kind, name, ordinal } = source;
    const target = kind === 'script' ? null : { file, name, ordinal };
    return new ProgramSubject(recipeOf(source), target, source, config);
  }

  /** One execution in a process of its own, with its trace; `record`: and with its transactions. */
  async execute(
    spec: ThreadSpec,
    { signal, verbose = false, watchdogMs }: ThreadExecuteOptions,
    record = false,
  ): Promise<ThreadReply> {
    const { grants, random, without } = orderOf(spec);
    const names = spec.kind === 'directed' ? (spec.schedule.threads ?? this.names) : this.names;
    this.tail.clear();
    const started = performance.now();
    const { ended, left } = await relaunchFor(
      this.recipe,
      {
        mode: 'threads',
        config: this.config,
        target: this.target,
        grants: Array.from(grants),
        random,
        without,
        names,
        transactions: record,
      },
      this.tail,
      { signal, verbose, timeoutMs: watchdogMs + MARGIN_MS },
      (out) => (existsSync(out) ? { whole: readWhole<Left>(out), notes: readNotes(notesOf(out)) } : null),
    );
    const durationMs = performance.now() - started;
    // What did not end by itself is no verdict, whatever it has left.
    if (!left || ended.timedOut) return withoutReply(...this.howEnded(ended), durationMs);
    const reply = replyOf(spec, left.whole, left.notes, durationMs);
    if (this.names.length === 0) this.names = reply.trace?.names.threads ?? [];
    return reply;
  }

  async executeFresh(spec: ThreadSpec, options: ThreadExecuteOptions): Promise<ThreadResult> {
    return (await this.execute(spec, options)).ran;
  }

  output(): string {
    return this.tail.toString();
  }

  async close(): Promise<void> {}

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
