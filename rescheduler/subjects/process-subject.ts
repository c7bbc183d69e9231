/** What test cases and scripts have in common: each run is a process started by a recorded recipe. */

import { relative } from 'node:path';
import type { OverlapInTest } from '../../data/overlap.ts';
import type { Failure, RunResult, StrategySpec } from '../../data/run.ts';
import type { RunnerName } from '../../data/runners.ts';
import type { ScenarioRun } from '../../data/scenario.ts';
import type { LoaderConfig } from '../../monitor/loader/index.ts';
import { AROUND_BODY, ENDLESS_TURN, plainFailure, withFailure } from '../failure.ts';
import type { WitnessPlan } from '../witness/plan.ts';
import type { Execution } from './execution.ts';
import type { CaseId, ForceResult, PlainJob, Recipe } from './job.ts';
import { type Ended, launchNatively, relaunch } from './launch.ts';
import { withoutAnswer } from './no-answer.ts';
import { ERROR, OutputTail } from './output.ts';
import { type ExecuteOptions, type Recording, SubjectError } from './protocol.ts';
import { tapFailure } from './tap.ts';

/** Start-up and end of a process may take this long beyond the watchdog of the run itself. */
export const MARGIN_MS = 15_000;

export interface ProcessSubjectOptions {
  readonly recipe: Recipe;
  readonly target: CaseId;
  readonly config: LoaderConfig;
  /** Whose test case it is. */
  readonly runner?: RunnerName;
  /** The process is the whole subject, and not one test case of it. */
  readonly isProgram?: boolean;
  /** It is a scenario, judged by this. */
  readonly scenario?: ScenarioRun;
}

/** Failures of which all that is known is how the program ended. */
const ENDED: ReadonlySet<string> = new Set(['ExitCode', 'ProcessExit']);

/** A recipe that says what its Node is told says that instead of our own environment. */
function inspected(recipe: Recipe, option: string | undefined): Recipe {
  const told = recipe.env['NODE_OPTIONS'];
  if (option === undefined || told === undefined) return recipe;
  return { ...recipe, env: { ...recipe.env, NODE_OPTIONS: `${told} ${option}`.trim() } };
}

/** Of a test that leans on those before it. */
const amongOthers = ({ limits }: ExecuteOptions) =>
  limits.behindOthers ? { isAmongOthers: true as const } : {};

/** Ends other processes of the subject that are kept alive; whether there was one. */
export type MakeRoom = () => Promise<boolean>;
const NO_ROOM: MakeRoom = () => Promise.resolve(false);

/** Another process has the port, or the name of the socket. */
const TAKEN = /\bEADDRINUSE\b/;
/** The process ended before it came to its test. */
const NOT_REACHED = 'NotReached';

export class ProcessRuns {
  private readonly subject: ProcessSubjectOptions;
  readonly tail: OutputTail;
  private readonly makeRoom: MakeRoom;
  /** What it takes for itself as it is loaded was held by another process of ours. */
  private needsRoom = false;

  constructor(subject: ProcessSubjectOptions, tail = new OutputTail(), makeRoom: MakeRoom = NO_ROOM) {
    this.subject = subject;
    this.tail = tail;
    this.makeRoom = makeRoom;
  }

  output(): string {
    return this.tail.toString();
  }

  /** One run in a process of its own. */
  async run(spec: StrategySpec, options: ExecuteOptions): Promise<RunResult> {
    return (await this.start(spec, options, false)).result;
  }

  async record(options: ExecuteOptions, spec: StrategySpec = { kind: 'observed' }): Promise<Recording> {
    const { result, trace } = await this.start(spec, options, true);
    if (!trace)
      throw new SubjectError(
        `${this.name()}: nothing was recorded: ${result.failure?.message ?? result.outcome}`,
      );
    return { result, trace };
  }

  /** One run in which something overlaps, in a process of its own. */
  overlapping(
    spec: StrategySpec,
    options: ExecuteOptions,
    record: boolean,
    overlap: OverlapInTest,
  ): Promise<ForceResult> {
    return this.start(spec, options, record, overlap);
  }

  /**
   * A file may open a port as it is loaded, or lock a folder. What a warm process keeps then is missing in one beside it: where that
   * ends before its test, or says so, it begins once more without.
   */
  private async withRoom<T>(start: () => Promise<T>, resultOf: (done: T) => RunResult): Promise<T> {
    if (this.needsRoom) await this.makeRoom();
    const done = await start();
    if (!this.lacksRoom(resultOf(done)) || !(await this.makeRoom())) return done;
    const again = await start();
    this.needsRoom ||= !this.lacksRoom(resultOf(again));
    return again;
  }

  private lacksRoom({ outcome, failure }: RunResult): boolean {
    return failure?.name === NOT_REACHED || (outcome !== 'pass' && TAKEN.test(this.tail.toString()));
  }

  /** One run on plain Node, in a process of its own. */
  plain(plan: WitnessPlan | null, options: ExecuteOptions, overlap?: OverlapInTest): Promise<RunResult> {
    return this.withRoom(
      () => this.plainly({ plan, ...amongOthers(options), ...(overlap && { overlap }) }, options),
      (result) => result,
    );
  }

  /** The same with all tests of its file. */
  plainAmongOthers(options: ExecuteOptions): Promise<RunResult> {
    return this.plainly({ plan: null, isAmongOthers: true }, options);
  }

  private async plainly(
    how: Pick<PlainJob, 'plan'> & Partial<PlainJob>,
    { limits, signal, verbose = false }: ExecuteOptions,
  ): Promise<RunResult> {
    const { recipe, target, config, scenario } = this.subject;
    this.tail.clear();
    const job = { mode: 'plain', config, target, ...how, ...(scenario && { scenario }) } as const;
    const { ended, forced } = await relaunch(recipe, job, this.tail, {
      signal,
      verbose,
      timeoutMs: limits.watchdogMs + MARGIN_MS,
    });
    // Of a test that is left, or among others, only what it says counts, not how its process ends.
    if (forced && (how.overlap || how.isAmongOthers)) return forced.result;
    return this.judge(forced?.result ?? null, ended);
  }

  /** The process as the user started it: all that is known of it is how it ends. */
  async native({ limits, signal, verbose = false }: ExecuteOptions): Promise<RunResult> {
    const timeoutMs = limits.watchdogMs + MARGIN_MS;
    this.tail.clear();
    const ended = await launchNatively(this.subject.recipe, this.tail, { signal, verbose, timeoutMs });
    const { code, exitSignal, timedOut, durationMs } = ended;
    const failure = plainFailure('exception', 'ExitCode', `exit code ${code ?? exitSignal}`);
    if (code === 0) return { ...withoutAnswer('pass', failure, durationMs), failure: null };
    return withoutAnswer(timedOut ? 'unknown' : 'fail', failure, durationMs);
  }

  private name(): string {
    const { target, config } = this.subject;
    const file = relative(config.cwd, target.file);
    return target.name === file ? file : `${file}: '${target.name}'`;
  }

  private start(
    spec: StrategySpec,
    options: ExecuteOptions,
    record: boolean,
    overlap?: OverlapInTest,
  ): Promise<ForceResult> {
    return this.withRoom(
      () => this.startNow(spec, options, record, overlap),
      ({ result }) => result,
    );
  }

  private async startNow(
    spec: StrategySpec,
    options: ExecuteOptions,
    record: boolean,
    overlap: OverlapInTest | undefined,
  ): Promise<ForceResult> {
    const { limits, wantChoices = false, signal, stops, verbose = false } = options;
    const { recipe, target, config } = this.subject;
    const execution: Execution = { spec, limits, wantChoices, record, stops };
    this.tail.clear();
    const { ended, forced, journal, spins } = await relaunch(
      inspected(recipe, options.inspect),
      { mode: 'force', config, target, execution, ...amongOthers(options), ...(overlap && { overlap }) },
      this.tail,
      {
        signal,
        verbose,
        timeoutMs: limits.watchdogMs + MARGIN_MS,
      },
    );
    // A test that is left has no verdict, and its process no end of its own.
    if (forced && overlap) return forced;
    const isTold = forced !== null && limits.behindOthers === true;
    const result = this.explained(isTold ? forced.result : this.judge(forced?.result ?? null, ended));
    if (forced === null && ended.timedOut && journal !== null && spins)
      return { result: { ...result, failure: ENDLESS_TURN, steps: journal }, trace: null };
    return { result, trace: forced?.trace ?? null };
  }

  /** The failure with what was printed of it, and recognised without. */
  private explained(result: RunResult): RunResult {
    const { failure } = result;
    const printed = failure && this.printedOf(failure);
    return printed
      ? { ...result, failure: { ...failure, message: `${failure.message}: ${printed}` } }
      : result;
  }

  /** An exit code says little: what TAP says, or the end of standard error, goes with it, and with a hook what the runner says. */
  private printedOf(failure: Failure): string | null {
    if (failure === AROUND_BODY) return this.tail.namedError();
    if (!ENDED.has(failure.name)) return null;
    const lines = this.tail.lastErrors();
    const told = tapFailure(this.tail.toString()) ?? lines.find((line) => ERROR.test(line)) ?? lines.at(-1);
    if (told === undefined) return null;
    const rest = lines.length > 1 ? `\n\nstandard error ends with\n${lines.join('\n')}` : '';
    return told.trim() + rest;
  }

  /** What a process says: by its result, by the way it ended, or by both. */
  private judge(result: RunResult | null, ended: Ended): RunResult {
    const { code, exitSignal, timedOut, error, durationMs } = ended;
    if (result) {
      if (result.outcome !== 'pass' || code === 0 || timedOut) return result;
      // Of a file with tests all but the target was left out: what failed besides its body is around it.
      const failure = this.subject.isProgram
        ? plainFailure('exception', 'ExitCode', `exit code ${code}`)
        : (result.afterwards ?? AROUND_BODY);
      return withFailure(result, failure);
    }
    const crashed = exitSignal !== null && !timedOut;
    const failure = error
      ? plainFailure('exception', 'NotStarted', error.message)
      : timedOut
        ? plainFailure('timeout', 'Timeout', 'the process did not end and was killed')
        : crashed
          ? plainFailure('exception', 'ProcessEnded', `the process was killed by ${exitSignal}`)
          : plainFailure(
              'exception',
              NOT_REACHED,
              `it exited with code ${code} before it ran: ${this.tail.complaint()}`,
            );
    return withoutAnswer(crashed ? 'fail' : 'unknown', failure, durationMs);
  }
}
