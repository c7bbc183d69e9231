/** The user's own test command: run once as it is, while every test case of it is recorded. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { DEFAULT_COMMAND_TIMEOUT_MS } from '../../data/config.ts';
import { makeFolders } from '../../data/make-folders.ts';
import { DEFAULT_LIMITS, type RunLimits, type RunResult, type StrategySpec } from '../../data/run.ts';
import { type RunnerName, runnerRow, runnersForPeople } from '../../data/runners.ts';
import type { LoaderConfig } from '../../monitor/loader/config.ts';
import { isSelected } from '../../monitor/loader/select.ts';
import { heldSubjects } from '../held/found.ts';
import { whyNothing } from '../held/kinds.ts';
import { ProgramSubject } from '../loops/subject.ts';
import type { WitnessPlan } from '../witness/plan.ts';
import { unmatched } from './asked.ts';
import { BrokenFile } from './broken-file.ts';
import { loaderConfigOf, lookingInto, type SubjectConfig } from './config.ts';
import { Family, type Member } from './family.ts';
import {
  type CaseId,
  type CaseRecord,
  type EntriesRecord,
  type ProcessEnd,
  type ProcessRecord,
  type Recipe,
  type RecordJob,
  readWhole,
} from './job.ts';
import { type Ended, isAsHere, launch, type Preloaded, withFolder } from './launch.ts';
import { loadedBy } from './loaded.ts';
import { OutputTail } from './output.ts';
import { errorsOutside } from './outside-errors.ts';
import { startPlanner } from './planner.ts';
import { ProcessRuns, type ProcessSubjectOptions } from './process-subject.ts';
import { type ExecuteOptions, type Recording, type Subject, SubjectError, subjectId } from './protocol.ts';
import { ScriptSubject } from './script.ts';
import { type ProcessSource, processSource, processStart, type SubjectStart } from './source.ts';
import { fileName } from './stable-name.ts';
import { Supervisor } from './supervisor.ts';
import { askTaskRunners } from './task-runners.ts';
import { carriesOutTests, scriptRunner, unseenRunner } from './unseen-runners.ts';
import { WarmCase } from './warm-case.ts';
import { WarmPool } from './warm-pool.ts';

export interface CommandOptions extends SubjectConfig {
  readonly limits?: RunLimits;
  readonly signal?: AbortSignal;
  readonly verbose?: boolean;
  /** What does not end is given up after so long without a word or a finished test, ms. */
  readonly timeoutMs?: number;
  /** And never after more, ms: all of it has only so much time. */
  readonly mostQuietMs?: number;
  /** Told now and then how many test cases were recorded so far, and what runs. */
  readonly progress?: (recorded: number, current: string | null) => void;
  /** Where the recording processes leave their files until they are read; a temporary folder when absent. */
  readonly folder?: string;
}

/**
 * Runs a command (`node --test …`, `npm test`, `node script.js`) and returns its test cases, each recorded;
 * or the script, when the command has no test cases.
 * @throws SubjectError with one line when the command cannot be started or ran nothing of the user's.
 */
export async function recordCommand(
  command: readonly string[],
  options: CommandOptions = {},
): Promise<Subject[]> {
  return withFolder(async (temporary, tmp) => {
    const { folder } = options;
    if (!folder) return recordInto(temporary, tmp, command, options);
    makeFolders(folder, 0o700);
    try {
      return await recordInto(folder, tmp, command, options);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

async function recordInto(
  folder: string,
  tmp: string,
  command: readonly string[],
  options: CommandOptions,
): Promise<Subject[]> {
  const { limits = DEFAULT_LIMITS, timeoutMs = DEFAULT_COMMAND_TIMEOUT_MS } = options;
  const config = loaderConfigOf(options);
  const [program, ...args] = command;
  if (program === undefined) throw new SubjectError('no command was given', true);
  const output = new OutputTail();
  const supervisor = new Supervisor(folder, timeoutMs, undefined, options.mostQuietMs);
  const { signal, verbose = false, progress } = options;
  const look = (): boolean => {
    const goesOn = supervisor.look();
    progress?.(supervisor.recorded, supervisor.current);
    return goesOn;
  };
  const watched = { heard: () => supervisor.heard(), look };
  askTaskRunners();
  const where = { cwd: config.cwd, env: { TMPDIR: tmp } };
  const running = { signal, verbose, supervisor: watched };
  const record = async (): Promise<Ended | null> => {
    using planner = startPlanner(config);
    const job: Preloaded<RecordJob> = { mode: 'record', out: folder, config: planner.config, limits };
    try {
      return await launch(program, args, where, job, join(folder, 'job'), output, running);
    } catch (error) {
      // What was recorded until it was interrupted is no less true.
      if (!signal?.aborted) throw error;
      return null;
    }
  };
  const ended = await record();
  const shown = command.join(' ');
  if (ended?.error)
    throw new SubjectError(`cannot start '${program}': ${ended.error.code ?? ended.error.message}`, true);
  const ends = new Map(read<ProcessEnd>(folder, '.exit'));
  const all = read<ProcessRecord>(folder, '.process').map(
    ([name, { recipe, within }]): FileProcess => ({
      ...{ name, within, recipe: slim(recipe), end: ends.get(name) ?? null },
      isUsers: recipe.argv[0] !== undefined && isUserScript(recipe.argv[0], config),
      isRunner: recipe.argv[0] !== undefined && carriesOutTests(recipe.argv[0]),
    }),
  );
  const told = [...ends.values()].map(({ seen }) => seen);
  const loaded = loadedBy(all, config.cwd);
  // A process that was killed has told nothing.
  const missing = all.every(({ end }) => end) ? unmatched(config.instrument, told, config.cwd) : null;
  if (missing !== null) throw new SubjectError(missing, true);
  const recorded = read<CaseRecord>(folder, '.case').map(([, record]) => record);
  const family = new Family(
    new Map(all.map((each) => [each.name, each])),
    recorded.map(({ process }) => process),
  );
  const cases = recorded.filter(({ process }) => family.ownsTestsOf(process));
  const processes = all.filter(
    ({ name, isUsers, recipe }) =>
      isUsers && !recipe.runner && family.ownsFileOf(name) && supervisor.whyEnded(name) === null,
  );
  const entries = read<EntriesRecord>(folder, '.entries').map(([, record]) => record);
  const pool = new WarmPool();
  const ran = cases.filter((c) => !c.container && !(c.todo && hasFailed(c))).sort(byPlace(config.cwd));
  const placeOf = placesOf(ran);
  const found: Subject[] = [
    ...(config.overlaps
      ? heldSubjects(ran, ({ recipe, id }) => aloneIn(recipe, id), placeOf, config, pool)
      : [
          ...ran.map(({ runner, id, recipe, process, result, trace }) => {
            const unseen = ends.get(process ?? '')?.seen.unseen ?? [];
            const recorded = trace && { result, trace };
            const known = loaded(process, id.file);
            const place = placeOf(id, recipe);
            return new CaseSubject(runner, id, recipe, config, recorded, unseen, pool, known, place);
          }),
          ...withoutCases(ended ? processes : [], cases, family, ended?.code !== 0, config, loaded),
        ]),
    ...brokenAround(all, cases, new Set(entries.map(({ process }) => process)), config),
  ];
  for (const { name, recipe } of all) {
    const why = supervisor.whyEnded(name);
    if (why !== null) found.push(new BrokenFile(recipe, config, why));
  }
  const broken = new Set<string>();
  for (const { recipe, files, why } of entries)
    for (const file of files) {
      if (!broken.has(file)) found.push(new BrokenFile({ ...slim(recipe), argv: [file] }, config, why));
      broken.add(file);
    }
  const isTold = found.length === 0 || found.some((subject) => subject instanceof BrokenFile);
  const left = all.find(({ name, end }) => end && end.notRun > 0 && family.ownsTestsOf(name));
  const isCut = ended !== null && !isTold && left !== undefined;
  if (isCut) found.push(brokenCommand(shown, endedBefore(left.end!.notRun), left.recipe, config));
  if (found.length > 0) {
    if (!ended?.code) return found;
    // Tests that failed explain the exit code, but not tests that were never listed.
    const outside = broken.size === 0 ? errorsOutside(output.toString()) : null;
    if (isCut || (outside === null && isExplained(found, all, cases))) return found;
    return [...found, brokenCommand(shown, outside ?? whyFailed(ended, output), all[0]?.recipe, config)];
  }
  if (!ended) throw signal?.reason;
  if (ran.length > 0)
    throw new SubjectError(
      whyNothing(
        config.overlaps ?? 'requests',
        ran.flatMap(({ log }) => log ?? []),
        shown,
      ),
    );
  throw new SubjectError(
    ended.timedOut
      ? didNotEnd(shown, timeoutMs)
      : nothingRan(shown, ended, output, unseenRunner(all.map(fileOf))),
  );
}

/**
 * A failure of the whole command is that of something in it that will be told. Scripts are judged from a run of
 * their own: their listeners of the end may set an exit code behind our note of it.
 */
function isExplained(
  found: readonly Subject[],
  processes: readonly FileProcess[],
  cases: readonly CaseRecord[],
): boolean {
  return (
    found.every(({ kind }) => kind === 'script') ||
    cases.some((each) => hasFailed(each) && !each.todo) ||
    found.some((subject) => subject instanceof BrokenFile) ||
    processes.some(({ isUsers, end }) => isUsers && end?.code !== 0)
  );
}

const BOUND = /coverage.* does not meet .*threshold/i;
const NOT_COUNTED =
  'coverage is not counted here: give the command without that bound, as what comes behind it was not run';

/** Nothing in the command failed: a bound on coverage, say, or what its runner found behind all tests. */
function whyFailed({ code }: Ended, output: OutputTail): string {
  const complaint = output.complaint();
  const advice = BOUND.test(complaint) ? `; ${NOT_COUNTED}` : '';
  return `it exited with code ${code} although none of its tests failed: ${complaint}${advice}`;
}

/** Its runner was not through: its process ended, or an error of a test that was over by then ended it. */
const endedBefore = (count: number): string =>
  count === 1
    ? '1 of its tests was not run: it ended before'
    : `${count} of its tests were not run: it ended before`;

/** The command failed, and nothing in it explains that. */
function brokenCommand(
  shown: string,
  why: string,
  recipe: Recipe | undefined,
  config: LoaderConfig,
): BrokenFile {
  const own = {
    ...{ execPath: process.execPath, execArgv: [], cwd: config.cwd, runner: false, env: {} },
    ...recipe,
  };
  return new BrokenFile({ ...own, argv: [resolve(config.cwd, shown)] }, config, why);
}

const hasFailed = ({ result }: CaseRecord): boolean => result.outcome !== 'pass';

/** A process that ran a file of the user, and how it ended. */
interface FileProcess extends Member {
  readonly name: string;
  readonly recipe: Recipe;
  readonly end: ProcessEnd | null;
}

const fileOf = ({ recipe }: Pick<FileProcess, 'recipe'>): string => recipe.argv[0] as string;

/**
 * Files that are more, or less, than their test cases: plain scripts, and files that failed although no case
 * of theirs did. `failed`: the whole command did.
 */
function withoutCases(
  processes: readonly FileProcess[],
  cases: readonly CaseRecord[],
  family: Family,
  failed: boolean,
  config: LoaderConfig,
  loaded: ReturnType<typeof loadedBy>,
): Subject[] {
  const of = new Map<string, CaseRecord[]>();
  for (const each of cases) {
    const file = each.recipe.argv[0] ?? '';
    of.set(file, [...(of.get(file) ?? []), each]);
  }
  const bad = processes.filter(({ end }) => end?.code !== 0);
  return processes.flatMap(({ name, recipe, end }): Subject[] => {
    // What only starts tests fails with them.
    if (family.launchesTests(name) && bad.some((each) => each.name !== name)) return [];
    const tests = of.get(recipe.argv[0] as string) ?? [];
    if (tests.some((each) => hasFailed(each) && !each.todo)) return [];
    if (tests.length > 0 || family.launchesTests(name) || (end?.tests ?? true))
      return failed && end?.code !== 0 ? [new BrokenFile(recipe, config)] : [];
    if (!family.ownsScriptOf(name)) return [];
    return [new ScriptSubject(recipe, config, end, loaded(name, fileOf({ recipe })))];
  });
}

/**
 * Processes of runners, of no file of the user, that failed although no test case of theirs did: a hook, say, or a file.
 * `told`: of these it is known.
 */
function brokenAround(
  processes: readonly FileProcess[],
  cases: readonly CaseRecord[],
  told: ReadonlySet<string | null | undefined>,
  config: LoaderConfig,
): Subject[] {
  return processes
    .filter(({ name, isUsers, recipe, end }) => {
      const own = cases.filter((each) => each.process === name);
      if (isUsers || recipe.runner || own.length === 0 || told.has(name)) return false;
      return end !== null && end.code !== 0 && !own.some(hasFailed);
    })
    .map(({ recipe }) => new BrokenFile(recipe, config));
}

/** What processes left in files of this extension, by the rest of the file's name. */
function read<T>(folder: string, extension: string): [name: string, T][] {
  return readdirSync(folder)
    .filter((name) => extname(name) === extension)
    .map((name) => [basename(name, extension), readWhole<T>(join(folder, name))]);
}

/** By the names that reports show: the path of a temporary file is another in every run. */
const byPlace =
  (cwd: string) =>
  (a: CaseRecord, b: CaseRecord): number => {
    const [first, second] = [fileName(cwd, a.id.file), fileName(cwd, b.id.file)];
    return first === second ? a.order - b.order : first < second ? -1 : 1;
  };

function isUserScript(file: string, config: LoaderConfig): boolean {
  return existsSync(file) && (isSelected(file, config) || scriptRunner(file) !== null);
}

/** A recipe whose environment holds only what this process does not have anyway. */
function slim(recipe: Recipe): Recipe {
  const env = Object.entries(recipe.env).filter((variable) => !isAsHere(variable));
  return { ...recipe, env: Object.fromEntries(env) };
}

/**
 * By which file a case is told: by the one in which it is written. Where several test files have a case from one and the same
 * text, as a suite for all that do the same, it is told by each of those.
 */
function placesOf(cases: readonly CaseRecord[]): (id: CaseId, recipe: Recipe) => string {
  const entryOf = ({ recipe, id }: Pick<CaseRecord, 'recipe' | 'id'>) => aloneIn(recipe, id).argv[0]!;
  const entries = new Map<string, Set<string>>();
  for (const each of cases) {
    const key = JSON.stringify(each.id);
    entries.set(key, (entries.get(key) ?? new Set()).add(entryOf(each)));
  }
  return (id, recipe) =>
    (entries.get(JSON.stringify(id))?.size ?? 0) > 1 ? entryOf({ recipe, id }) : id.file;
}

/** With several files in one process, the case's own file only. */
const aloneIn = (recipe: Recipe, { file }: CaseId): Recipe => ({
  ...slim(recipe),
  argv: recipe.runner ? [file] : recipe.argv,
});

const didNotEnd = (shown: string, timeoutMs: number): string =>
  `'${shown}' did not end and was killed: give it more than ${timeoutMs / 1000} s with --command-timeout`;

function nothingRan(shown: string, ended: Ended, output: OutputTail, runner: string | null): string {
  const how = ended.exitSignal ? `was killed by ${ended.exitSignal}` : `exited with code ${ended.code}`;
  const error = ended.code === 0 ? null : output.namedError();
  const last = error ?? (runner || ended.code === 0 ? '' : output.complaint());
  const told = [last, runner ?? '', error ? '' : SEEN].filter((words) => words !== '').join('; ');
  return `'${shown}' ${how} and ran no test case and no script of yours: ${told}`;
}

/** What a command of another runner ran is not seen. */
const SEEN = `only test cases of ${runnersForPeople()}, and scripts, are seen`;

/** One test case. Every run is a process of its own, or warm where it was seen to pass. */
export class CaseSubject implements Subject {
  readonly kind: RunnerName;
  readonly id: string;
  readonly file: string;
  readonly name: string;
  readonly source: ProcessSource | null;
  readonly started: SubjectStart;
  readonly threads: () => ProgramSubject;
  readonly unseen: readonly string[];
  readonly loaded: readonly string[] | null;
  readonly lookInto: (packages: readonly string[]) => CaseSubject;
  private readonly subject: ProcessSubjectOptions;
  private readonly pool: WarmPool;
  private readonly runs: ProcessRuns;
  private warm: WarmCase | null;
  /** What warm processes, where each case runs alone, cannot do. */
  private leans = false;
  /** From the user's own run; used once. */
  private recorded: Recording | null;

  constructor(
    runner: RunnerName,
    id: CaseId,
    recipe: Recipe,
    config: LoaderConfig,
    recorded: Recording | null,
    unseen: readonly string[] = [],
    pool = new WarmPool(),
    loaded: readonly string[] | null = null,
    /** By which its place is told. */
    place = id.file,
  ) {
    this.kind = runner;
    this.loaded = runnerRow(runner).tellsLoaded ? loaded : null;
    this.file = fileName(config.cwd, place);
    this.unseen = unseen.map((path) => fileName(config.cwd, path));
    this.name = id.name;
    this.id = subjectId(this.file, id.name, id.ordinal);
    const own = aloneIn(recipe, id);
    this.source = processSource(own, { kind: runner, ...id });
    this.started = processStart(own, { kind: runner, ...id });
    const subject = { recipe: own, target: id, config, runner };
    this.threads = () => new ProgramSubject(own, id, this.source, config, runner);
    this.lookInto = (packages) =>
      new CaseSubject(runner, id, own, lookingInto(config, packages), null, unseen, undefined, loaded, place);
    this.subject = subject;
    this.pool = pool;
    this.runs = new ProcessRuns(subject, undefined, () => (this.warm ?? this.pool).makeRoom());
    this.warm = recorded && this.warmLike(recorded.result);
    this.recorded = recorded;
  }

  private warmLike(real: RunResult): WarmCase {
    const { runs } = this;
    return new WarmCase(this.subject, real, runs.tail, this.pool, (...how) => runs.run(...how));
  }

  get recordedAs(): RunResult | null {
    return this.recorded?.result ?? null;
  }

  /** Why runs of this case take a process each; null while they are warm. */
  get unfit(): string | null {
    if (this.leans) return 'it leans on the tests before it, which run first';
    return this.warm ? this.warm.unfit : 'it was never seen to pass';
  }

  async execute(spec: StrategySpec, options: ExecuteOptions): Promise<RunResult> {
    this.leans = options.limits.behindOthers === true;
    const warm = this.leans ? null : await this.warm?.run(spec, options);
    if (warm) return warm;
    const real = await this.runs.run(spec, options);
    if (!this.leans) this.warm?.hear(real);
    return real;
  }

  executeFresh(spec: StrategySpec, options: ExecuteOptions): Promise<RunResult> {
    return this.runs.run(spec, options);
  }

  executePlain(plan: WitnessPlan | null, options: ExecuteOptions): Promise<RunResult> {
    return this.runs.plain(plan, options);
  }

  executeAmongOthers(options: ExecuteOptions): Promise<RunResult> {
    return this.runs.plainAmongOthers(options);
  }

  async record(options: ExecuteOptions, spec?: StrategySpec): Promise<Recording> {
    const { recorded } = this;
    if (spec) return this.runs.record(options, spec);
    this.recorded = null;
    const made = recorded ?? (await this.runs.record(options));
    if (!recorded) {
      // It is what runs in warm processes have to be like.
      await this.warm?.close();
      this.warm = null;
    }
    this.warm ??= this.warmLike(made.result);
    return made;
  }

  async recordWarm(options: ExecuteOptions, spec: StrategySpec): Promise<Recording> {
    const warm = options.limits.behindOthers ? null : await this.warm?.record(spec, options);
    return warm ?? this.runs.record(options, spec);
  }

  warmUp({ verbose = false }: ExecuteOptions): void {
    this.pool.prepare({ subject: this.subject, verbose }, this.runs.tail);
  }

  output(): string {
    return this.runs.output();
  }

  async close(): Promise<void> {
    await this.warm?.close();
  }
}
