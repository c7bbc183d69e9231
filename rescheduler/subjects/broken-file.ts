/**
 * A file of the test command that fails although none of its test cases does: its text cannot be parsed, it
 * throws while it registers tests, a hook around all of them fails. There is nothing to force in it, but it
 * must not be passed over.
 */
import { relative } from 'node:path';
import { DEFAULT_LIMITS, type RunResult } from '../../data/run.ts';
import type { LoaderConfig } from '../../monitor/loader/index.ts';
import { Deadline } from '../deadline.ts';
import { plainFailure } from '../failure.ts';
import { killGroup, spawnGroup } from './groups.ts';
import type { Recipe, RecordJob } from './job.ts';
import { type Ended, launch, type Preloaded, withFolder } from './launch.ts';
import { withoutAnswer } from './no-answer.ts';
import { OutputTail } from './output.ts';
import { MARGIN_MS } from './process-subject.ts';
import { type ExecuteOptions, type Recording, type Subject, SubjectError, subjectId } from './protocol.ts';

/** Its record says why it fails; it never runs. */
export class BrokenFile implements Subject {
  readonly kind = 'script';
  readonly source = null;
  readonly isBroken = true;
  readonly id: string;
  readonly file: string;
  readonly name: string;
  private readonly recipe: Recipe;
  private readonly config: LoaderConfig;
  private readonly tail = new OutputTail();

  private readonly why: string | null;

  /** `why`: what is known of it already; else the file is asked for its own words. */
  constructor(recipe: Recipe, config: LoaderConfig, why: string | null = null) {
    this.why = why;
    this.file = relative(config.cwd, recipe.argv[0] ?? '');
    this.name = this.file;
    this.id = subjectId(this.file, this.name, 0);
    this.recipe = recipe;
    this.config = config;
  }

  execute(): Promise<never> {
    return Promise.reject(new SubjectError(`${this.file}: it fails outside of its test cases`));
  }

  executeFresh(): Promise<never> {
    return this.execute();
  }

  /** How the file ends without us. */
  async executePlain(_plan: null, { limits, signal }: ExecuteOptions): Promise<RunResult> {
    if (this.why !== null) return this.execute();
    const { execPath, execArgv, argv, cwd, env } = this.recipe;
    const started = performance.now();
    const child = spawnGroup(execPath, [...execArgv, ...argv], {
      cwd,
      env: { ...process.env, ...env, NODE_TEST_CONTEXT: undefined },
      stdio: 'ignore',
    });
    const end = (): void => killGroup(child);
    const inTime = new Deadline(limits.watchdogMs + MARGIN_MS, child.pid ?? 0).whenOver(end);
    signal?.addEventListener('abort', end);
    try {
      const code = await new Promise<number | null>((resolve) => {
        child.once('error', () => resolve(null));
        child.once('exit', resolve);
      });
      const failure = plainFailure('exception', 'ExitCode', `exit code ${code}`);
      const ms = performance.now() - started;
      if (code === null) return withoutAnswer('unknown', failure, ms);
      return code === 0
        ? { ...withoutAnswer('unknown', failure, ms), outcome: 'pass', failure: null }
        : withoutAnswer('fail', failure, ms);
    } finally {
      inTime();
      signal?.removeEventListener('abort', end);
    }
  }

  /** Runs the file once more by itself, for its own words. */
  async record({ limits = DEFAULT_LIMITS, signal }: ExecuteOptions): Promise<Recording> {
    if (this.why !== null) throw new SubjectError(this.why);
    const { execPath, execArgv, argv, cwd, env } = this.recipe;
    const { config } = this;
    return withFolder(async (folder, tmp) => {
      const job: Preloaded<RecordJob> = { mode: 'record', out: folder, config, limits };
      const timeoutMs = limits.watchdogMs + MARGIN_MS;
      const args = [...execArgv, ...argv];
      const at = { cwd, env: { ...env, TMPDIR: tmp } };
      const ended = await launch(execPath, args, at, job, `${folder}/job`, this.tail, { signal, timeoutMs });
      throw new SubjectError(`it fails outside of its test cases${this.howEnded(ended)}`);
    });
  }

  private howEnded({ code, exitSignal, timedOut }: Ended): string {
    if (timedOut) return ': it does not end';
    if (exitSignal) return `: it was killed by ${exitSignal}`;
    if (code !== 0) return `: ${this.tail.complaint()}`;
    const error = this.tail.namedError();
    return `, and ends with exit code 0 when it is run again${error ? `: ${error}` : ''}`;
  }

  output(): string {
    return this.tail.toString();
  }

  async close(): Promise<void> {}
}
