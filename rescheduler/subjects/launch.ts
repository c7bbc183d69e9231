/** Starts processes of the user's own command with a job for them. */
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PEERS_VARIABLE } from '../../monitor/host/net/peers.ts';
import { Deadline } from '../deadline.ts';
import { entryUrl } from '../entry.ts';
import { configEnvironment, forcedEnvironment } from './config.ts';
import { killGroup, spawnGroup } from './groups.ts';
import {
  type ForceJob,
  type ForceResult,
  JOB_FILE,
  type Job,
  type PlainJob,
  type Preload,
  type Recipe,
  readWhole,
  type ServeJob,
  type ThreadsJob,
  withOurs,
  writeWhole,
} from './job.ts';
import { computedBy, endlessTurn, readJournal, type TurnWatch } from './journal.ts';
import { NO_REQUIRE, splitOptions } from './node-options.ts';
import type { OutputTail } from './output.ts';
import { permissionsFor } from './permissions.ts';
import { dropFolder, makeFolder, makeTmp } from './scratch.ts';

const PRELOAD = entryUrl('./preload', import.meta.url).href;
const REQUIRED: Preload = ['--require', fileURLToPath(PRELOAD.replace(/[jt]s$/, 'c$&'))];
const IMPORTED: Preload = ['--import', PRELOAD];

/** A job before it is known how its processes get it. */
export type Preloaded<J> = J extends Job ? Omit<J, 'preload' | 'permissions'> : never;

/** By which option processes of a job load us. `options`: of Node, as far as they are known. */
function preloadOf({ config }: Preloaded<Job>, options: readonly string[]): Preload {
  const mayWait = config.locks.length > 0 || options.includes(NO_REQUIRE);
  return mayWait ? IMPORTED : REQUIRED;
}

export interface LaunchOptions {
  readonly signal?: AbortSignal | undefined;
  /** Killed after so many ms of real time; absent: it may take as long as it likes. */
  readonly timeoutMs?: number;
  /** Looks after what it starts, now and then; killed where `look` says that nothing more can come. */
  readonly supervisor?: { heard(): void; look(pid: number): boolean };
  readonly verbose?: boolean;
}

export interface Ended {
  readonly code: number | null;
  readonly exitSignal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  /** Time of processors that it had used when it was given up, ms; 0: it was not. */
  readonly computedMs: number;
  /** The command could not be started. */
  readonly error: NodeJS.ErrnoException | null;
  readonly durationMs: number;
}

const OURS_FIRST = dirname(process.execPath) + delimiter;

/** Environment in which every Node process is of this Node. */
function nativeEnvironment(over: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, ...over };
  // Started by a test of a test tool, we are inside a runner; what we start is not.
  delete env['NODE_TEST_CONTEXT'];
  env['PATH'] = OURS_FIRST + (env['PATH'] ?? '');
  return env;
}

/** Whether a variable of a process that we have started says what it says here. */
export const isAsHere = ([key, value]: readonly [key: string, value: string]): boolean =>
  key === 'PATH' ? ofOthers(value) === ofOthers(process.env[key] ?? '') : value === process.env[key];

function ofOthers(path: string): string {
  return path.startsWith(OURS_FIRST) ? ofOthers(path.slice(OURS_FIRST.length)) : path;
}

/** The same, and each loads our preload with `job`. */
function environment(
  { mode, config, preload, permissions }: Pick<Job, 'mode' | 'config' | 'preload' | 'permissions'>,
  jobFile: string,
  over?: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const env = { ...nativeEnvironment(over), ...configEnvironment(config) };
  if (mode === 'record') delete env[PEERS_VARIABLE];
  else Object.assign(env, forcedEnvironment(config));
  env['NODE_OPTIONS'] = withOurs(env['NODE_OPTIONS'], { preload, permissions });
  env[JOB_FILE] = jobFile;
  return env;
}

interface LaunchPlace {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command with a job to its end. */
export async function launch(
  command: string,
  args: readonly string[],
  where: LaunchPlace,
  unplaced: Preloaded<Job>,
  jobFile: string,
  output: OutputTail,
  options: LaunchOptions,
): Promise<Ended> {
  options.signal?.throwIfAborted();
  return follow(command, args, where.cwd, given(command, args, where, unplaced, jobFile), output, options);
}

/** Writes a job down; returns the environment in which a command gets it. */
function given(
  command: string,
  args: readonly string[],
  where: LaunchPlace,
  unplaced: Preloaded<Job>,
  jobFile: string,
): NodeJS.ProcessEnv {
  const nodeOptions = splitOptions(where.env?.['NODE_OPTIONS'] ?? process.env['NODE_OPTIONS'] ?? '');
  const preload = preloadOf(unplaced, [...args, ...nodeOptions]);
  const { cacheDir, planner } = unplaced.config;
  const writes = [dirname(jobFile), cacheDir, ...(planner ? [planner] : [])];
  const job = {
    ...unplaced,
    preload,
    permissions: permissionsFor(command, args, nodeOptions, writes),
  } as Job;
  writeWhole(jobFile, job);
  return environment(job, jobFile, where.env);
}

/** Starts a recorded process again that is to last; it and what it starts are a group. */
export function startServing(recipe: Recipe, job: Preloaded<ServeJob>, folder: string): ChildProcess {
  const { execPath, execArgv, argv, cwd } = recipe;
  const args = [...execArgv, ...argv];
  const env = { ...recipe.env, TMPDIR: makeTmp(folder) };
  return spawnGroup(execPath, args, {
    cwd,
    env: given(execPath, args, { cwd, env }, job, join(folder, 'job')),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Starts a recorded process again as the user did. */
export function launchNatively(
  { execPath, execArgv, argv, cwd, env }: Recipe,
  output: OutputTail,
  options: LaunchOptions,
): Promise<Ended> {
  return withFolder((_, tmp) =>
    follow(
      execPath,
      [...execArgv, ...argv],
      cwd,
      nativeEnvironment({ ...env, TMPDIR: tmp }),
      output,
      options,
    ),
  );
}

/** Runs a command to its end, in a process group of its own; nothing of the group is alive afterwards. */
async function follow(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  output: OutputTail,
  options: LaunchOptions,
): Promise<Ended> {
  const started = performance.now();
  const child: ChildProcess = spawnGroup(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  output.follow(child.stdout, options.verbose ? process.stderr : null);
  output.follow(child.stderr, options.verbose ? process.stderr : null, true);
  let timedOut = false;
  let computedMs = 0;
  const giveUp = (): void => {
    timedOut = true;
    computedMs = computedBy(child.pid ?? 0);
    killGroup(child);
  };
  const { timeoutMs } = options;
  const inTime =
    timeoutMs === undefined ? () => {} : new Deadline(timeoutMs, child.pid ?? 0).whenOver(giveUp);
  const supervision = options.supervisor && supervise(child, options.supervisor, giveUp);
  const abort = (): void => killGroup(child);
  options.signal?.addEventListener('abort', abort);
  const closed = whenClosed(child);
  try {
    const end = await new Promise<Pick<Ended, 'code' | 'exitSignal' | 'error'>>((resolve) => {
      child.once('error', (error) => resolve({ code: null, exitSignal: null, error }));
      child.once('exit', (code, exitSignal) => resolve({ code, exitSignal, error: null }));
    });
    const durationMs = performance.now() - started;
    if (!end.error) await closed;
    options.signal?.throwIfAborted();
    return { ...end, timedOut, computedMs, durationMs };
  } finally {
    inTime();
    clearInterval(supervision);
    options.signal?.removeEventListener('abort', abort);
  }
}

/** Who has left its group may keep what it writes to open: that is waited for no longer, ms. */
const CLOSING_MS = 200;

/** A process may have ended before all that it wrote is read. Settled when it is, or when nothing more is to be waited for. */
async function whenClosed(child: ChildProcess): Promise<void> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  const waited = new AbortController();
  // Behind a wait that was long because of us there is a turn in which what came is read.
  const patience = sleep(CLOSING_MS, null, { signal: waited.signal }).then(() => sleep(1));
  await Promise.race([closed, patience.catch(() => {})]);
  waited.abort();
}

/** ms between two looks at what a command has left. */
const LOOK_MS = 250;

function supervise(
  child: ChildProcess,
  supervisor: NonNullable<LaunchOptions['supervisor']>,
  giveUp: () => void,
): NodeJS.Timeout {
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', () => supervisor.heard());
  return setInterval(() => {
    if (!supervisor.look(child.pid ?? 0)) giveUp();
  }, LOOK_MS);
}

/** A folder for jobs and results, and in it the temporary directory of a program; gone when `use` is done. */
export async function withFolder<T>(use: (folder: string, tmp: string) => Promise<T>): Promise<T> {
  const folder = makeFolder('disk');
  try {
    return await use(folder, makeTmp(folder));
  } finally {
    dropFolder(folder);
  }
}

/** A job before it is known where its files are. */
type Unplaced<J> = Omit<J, 'out' | 'preload' | 'permissions'>;

/** Starts a recorded process again for one run. The result is null when the process left none. */
export async function relaunch(
  recipe: Recipe,
  job: Unplaced<ForceJob> | Unplaced<PlainJob>,
  output: OutputTail,
  options: LaunchOptions,
): Promise<Relaunched> {
  const read = (out: string) => ({
    forced: existsSync(out) ? readWhole<ForceResult>(out) : null,
    journal: readJournal(out),
  });
  let watch: TurnWatch | null = null;
  const own = (out: string): LaunchOptions => {
    if (job.mode !== 'force') return options;
    watch = endlessTurn(out, job.execution.limits.watchdogMs);
    return { ...options, supervisor: watch };
  };
  const { ended, left } = await relaunchFor(recipe, job, output, own, read);
  return { ended, ...left, spins: (watch as TurnWatch | null)?.spins === true };
}

export interface Relaunched {
  readonly ended: Ended;
  /** Null where the process did not come to the end of the run. */
  readonly forced: ForceResult | null;
  /** The steps that were begun; null where the run was not. */
  readonly journal: readonly string[] | null;
  /** It was at work when it was killed, in a turn that did not end. */
  readonly spins: boolean;
}

/** The same for any job; `read` takes what the process has left at `out`. */
export async function relaunchFor<T>(
  recipe: Recipe,
  job: Unplaced<ForceJob> | Unplaced<PlainJob> | Unplaced<ThreadsJob>,
  output: OutputTail,
  options: LaunchOptions | ((out: string) => LaunchOptions),
  read: (out: string) => T,
): Promise<{ ended: Ended; left: T }> {
  return withFolder(async (folder, tmp) => {
    const out = join(folder, 'result');
    const jobFile = join(folder, 'job');
    const placed: Preloaded<Job> = { ...job, out };
    const env = { ...recipe.env, TMPDIR: tmp };
    const args = [...recipe.execArgv, ...recipe.argv];
    const ended = await launch(
      recipe.execPath,
      args,
      { cwd: recipe.cwd, env },
      placed,
      jobFile,
      output,
      typeof options === 'function' ? options(out) : options,
    );
    return { ended, left: read(out) };
  });
}
