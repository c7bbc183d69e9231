/** Starts processes of the user's own command with a job for them. */
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, extname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { LoaderConfig } from '../../monitor/loader/index.ts';
import { Deadline } from '../deadline.ts';
import { configEnvironment } from './config.ts';
import { killGroup, spawnGroup } from './groups.ts';
import {
  type ForceJob,
  type ForceResult,
  JOB_FILE,
  type Job,
  type PlainJob,
  type Recipe,
  readWhole,
  type ThreadsJob,
  withPreload,
  writeWhole,
} from './job.ts';
import type { OutputTail } from './output.ts';
import { dropFolder, makeFolder, makeTmp } from './scratch.ts';

/** The URL for `--import`. */
export const PRELOAD = new URL(`./preload${extname(import.meta.url)}`, import.meta.url).href;

export interface LaunchOptions {
  readonly signal?: AbortSignal | undefined;
  /** Killed after so many ms of real time. */
  readonly timeoutMs: number;
  /** Killed after `ms` without output in which `signs` did not grow either. */
  readonly quiet?: { readonly ms: number; readonly signs: () => number };
  readonly verbose?: boolean;
}

export interface Ended {
  readonly code: number | null;
  readonly exitSignal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  /** The command could not be started. */
  readonly error: NodeJS.ErrnoException | null;
  readonly durationMs: number;
}

/** Environment in which every Node process is of this Node and loads our preload with `job`. */
function environment(
  job: string,
  config: LoaderConfig,
  over: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, ...over, ...configEnvironment(config) };
  // Started by a test of a test tool, we are inside a runner; what we start is not.
  delete env['NODE_TEST_CONTEXT'];
  env['PATH'] = dirname(process.execPath) + delimiter + (env['PATH'] ?? '');
  env['NODE_OPTIONS'] = withPreload(env['NODE_OPTIONS'], PRELOAD);
  env[JOB_FILE] = job;
  return env;
}

/** Runs a command to its end, in a process group of its own; nothing of the group is alive afterwards. */
export async function launch(
  command: string,
  args: readonly string[],
  where: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
  job: Job,
  jobFile: string,
  output: OutputTail,
  options: LaunchOptions,
): Promise<Ended> {
  options.signal?.throwIfAborted();
  writeWhole(jobFile, job);
  const started = performance.now();
  const child: ChildProcess = spawnGroup(command, args, {
    cwd: where.cwd,
    env: environment(jobFile, job.config, where.env ?? {}),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  output.follow(child.stdout, options.verbose ? process.stderr : null);
  output.follow(child.stderr, options.verbose ? process.stderr : null, true);
  let timedOut = false;
  const giveUp = (): void => {
    timedOut = true;
    killGroup(child);
  };
  const inTime = new Deadline(options.timeoutMs, child.pid ?? 0).whenOver(giveUp);
  const silence = options.quiet && watchSilence(child, options.quiet, giveUp);
  const abort = (): void => killGroup(child);
  options.signal?.addEventListener('abort', abort);
  try {
    const end = await new Promise<Pick<Ended, 'code' | 'exitSignal' | 'error'>>((resolve) => {
      child.once('error', (error) => resolve({ code: null, exitSignal: null, error }));
      child.once('exit', (code, exitSignal) => resolve({ code, exitSignal, error: null }));
    });
    options.signal?.throwIfAborted();
    return { ...end, timedOut, durationMs: performance.now() - started };
  } finally {
    inTime();
    clearTimeout(silence);
    options.signal?.removeEventListener('abort', abort);
  }
}

/** Calls `giveUp` when neither output nor signs of life have come for some time. */
function watchSilence(
  child: ChildProcess,
  { ms, signs }: NonNullable<LaunchOptions['quiet']>,
  giveUp: () => void,
): NodeJS.Timeout {
  let seen = signs();
  const timer = setTimeout(() => {
    const now = signs();
    if (now === seen) return giveUp();
    seen = now;
    timer.refresh();
  }, ms);
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', () => timer.refresh());
  return timer;
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
type Unplaced<J> = Omit<J, 'out' | 'preload'>;

/** Starts a recorded process again for one run. The result is null when the process left none. */
export async function relaunch(
  recipe: Recipe,
  job: Unplaced<ForceJob> | Unplaced<PlainJob>,
  output: OutputTail,
  options: LaunchOptions,
): Promise<{ ended: Ended; forced: ForceResult | null }> {
  const read = (out: string) => (existsSync(out) ? readWhole<ForceResult>(out) : null);
  const { ended, left } = await relaunchFor(recipe, job, output, options, read);
  return { ended, forced: left };
}

/** The same for any job; `read` takes what the process has left at `out`. */
export async function relaunchFor<T>(
  recipe: Recipe,
  job: Unplaced<ForceJob> | Unplaced<PlainJob> | Unplaced<ThreadsJob>,
  output: OutputTail,
  options: LaunchOptions,
  read: (out: string) => T,
): Promise<{ ended: Ended; left: T }> {
  return withFolder(async (folder, tmp) => {
    const out = join(folder, 'result');
    const jobFile = join(folder, 'job');
    const placed: Job = { ...job, out, preload: PRELOAD };
    const env = { ...recipe.env, TMPDIR: tmp };
    const args = [...recipe.execArgv, ...recipe.argv];
    const ended = await launch(
      recipe.execPath,
      args,
      { cwd: recipe.cwd, env },
      placed,
      jobFile,
      output,
      options,
    );
    return { ended, left: read(out) };
  });
}
