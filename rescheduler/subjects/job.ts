/** What a process that runs the user's own command is asked to do; handed over as a file named in the environment. */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { OverlapInTest, OverlapLog } from '../../data/overlap.ts';
import type { RunLimits, RunResult } from '../../data/run.ts';
import type { RunnerName } from '../../data/runners.ts';
import type { ScenarioRun, SerialReply } from '../../data/scenario.ts';
import type { Trace } from '../../data/trace.ts';
import { PEERS_VARIABLE } from '../../monitor/host/net/peers.ts';
import { CONFIG_VARIABLE, type LoaderConfig } from '../../monitor/loader/config.ts';
import type { Seen } from '../../monitor/loader/seen.ts';
import type { ViaLoaders } from '../../monitor/modules/linker.ts';
import type { Chance } from '../tokens/control.ts';
import type { WitnessPlan } from '../witness/plan.ts';
import type { Execution } from './execution.ts';
import { joinOptions, splitOptions, withoutDropped } from './node-options.ts';
import { renameOwn, writeOwn } from './own-files.ts';
import { fileOfScript, ownScript } from './own-script.ts';

/** Environment variable with the path of a {@link Job}. */
export const JOB_FILE = 'UNWEAVE_JOB';

/** Which test case: its file, full name, and its place among those of the same full name. */
export interface CaseId {
  readonly file: string;
  readonly name: string;
  readonly ordinal: number;
}

interface JobBase {
  /** Where and what is instrumented. */
  readonly config: LoaderConfig;
  /** The option by which this process was instrumented; not part of the user's own recipe. */
  readonly preload: Preload;
  /** Options that it was given besides, see permissions.ts; neither are they the user's own. */
  readonly permissions: readonly string[];
}

/** Record every test case that this process runs; one file each in the folder `out`. */
export interface RecordJob extends JobBase {
  readonly mode: 'record';
  readonly out: string;
  readonly limits: RunLimits;
}

/** Run one test case under a strategy and nothing else; the result goes to the file `out`. */
export interface ForceJob extends JobBase {
  readonly mode: 'force';
  readonly out: string;
  readonly target: CaseId;
  readonly execution: Execution;
  /** It is carried out up to where it is held, and something overlaps then. */
  readonly overlap?: OverlapInTest;
  /** The tests before it in its file run first, natively: it needs what they have set up. */
  readonly isAmongOthers?: boolean;
}

/** Run one subject on plain Node and tell how it ends; the result goes to the file `out`. */
export interface PlainJob extends JobBase {
  readonly mode: 'plain';
  readonly out: string;
  readonly target: CaseId;
  /** Which answers are late; null: none. */
  readonly plan: WitnessPlan | null;
  /** All tests of its file run, as the user runs them: some need what those before them have set up. */
  readonly isAmongOthers?: boolean;
  /** Of a scenario: by what it is judged. */
  readonly scenario?: ScenarioRun;
  /** See {@link ForceJob.overlap}. */
  readonly overlap?: OverlapInTest;
}

/** Run a program that starts its own workers, or one test case of it, with all its threads under the token. */
export interface ThreadsJob extends JobBase {
  readonly mode: 'threads';
  /** Where the execution is left; see loops/ending.ts. */
  readonly out: string;
  /** Null: the program itself is the subject. */
  readonly target: CaseId | null;
  /** Pairs of thread and steps; from the last one on the strategy chooses. */
  readonly grants: readonly number[];
  readonly chance: Chance | null;
  /** Rules of waiting that are off; see tokens/control.ts. */
  readonly without: number;
  /** Names of the threads in the order of their numbers, as far as they are settled. */
  readonly names: readonly string[];
  /** Record what the transactions are, too. */
  readonly transactions: boolean;
  /** Tell from where accesses at these places are called; null: of none. */
  readonly callsAt: readonly string[] | null;
  /** Null: event loops go their own way; else how they take their steps. */
  readonly gated: GatedJob | null;
}

/** How the event loops of a program's threads take their steps. */
export interface GatedJob {
  /** By thread, the steps in their order; null: as observed. */
  readonly deliveries: readonly (readonly string[])[] | null;
  /** As chance has it. */
  readonly random: boolean;
}

/** Run test cases of one file again and again, as they are asked for at the socket `out`. */
export interface ServeJob extends JobBase {
  readonly mode: 'serve';
  readonly out: string;
  /** The first of them. */
  readonly target: CaseId;
}

export type Job = RecordJob | ForceJob | PlainJob | ThreadsJob | ServeJob;

/** The only case that is to run; null: all of them, or all of its file. */
export const onlyCase = (job: Job): CaseId | null =>
  job.mode === 'record' || isAmongOthers(job) ? null : job.target;

export const isAmongOthers = (job: Job): job is (ForceJob | PlainJob) & { readonly isAmongOthers: true } =>
  (job.mode === 'plain' || job.mode === 'force') && job.isAmongOthers === true;

/** Whether the user's sources are instrumented in its processes; on plain Node only the calls of tests are, if they overlap. */
export const isLookedInto = ({ mode, config }: Job): boolean =>
  mode !== 'plain' || config.overlaps === 'calls';

/** How a process was started, so that it can be started again. */
export interface Recipe {
  readonly execPath: string;
  readonly execArgv: readonly string[];
  /** Script and its arguments. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** It was the test runner itself, with the files in its own process. */
  readonly runner: boolean;
  /** The whole environment; the parent keeps what differs from its own. */
  readonly env: Readonly<Record<string, string>>;
}

/** One recorded test case. */
export interface CaseRecord {
  readonly kind: 'case';
  readonly runner: RunnerName;
  readonly id: CaseId;
  /** Name of the note of its process. */
  readonly process: string | null;
  readonly recipe: Recipe;
  /** It has subtests; only what ran before the first of them was recorded. */
  readonly container: boolean;
  /** The runner does not mind when it fails. */
  readonly todo: boolean;
  readonly result: RunResult;
  /** null: it ran natively, and only what it does one behind the other was looked at. */
  readonly trace: Trace | null;
  /** What it does one behind the other, where that is looked at. */
  readonly log?: OverlapLog;
  /** Order of recording within its process. */
  readonly order: number;
}

/** A process of the command that ran a file of the user. */
export interface ProcessRecord {
  readonly kind: 'process';
  readonly recipe: Recipe;
  /** Name of the note of the nearest process above it that left one. */
  readonly within: string | null;
}

/** Test files of a runner's own process that were begun and did not come to their end. */
export interface EntriesRecord {
  readonly recipe: Recipe;
  readonly files: readonly string[];
  /** Name of the note of the process that had them, which ends as it does for their sake. */
  readonly process?: string | null;
  /** What is known of the reason; else each of them is asked for its own words. */
  readonly why?: string;
}

/** How a process of a {@link ProcessRecord} ended; missing when it was killed. */
export interface ProcessEnd {
  readonly code: number;
  /** It registered tests. */
  readonly tests: boolean;
  /** So many of them it has not begun. */
  readonly notRun: number;
  readonly seen: Seen;
  /** Real ms from its start. */
  readonly tookMs: number;
}

/** Result of a {@link ForceJob} or {@link PlainJob}; also used for recording by force. */
export interface ForceResult {
  readonly result: RunResult;
  readonly trace: Trace | null;
  /** Of what overlaps, see {@link RunReply}. */
  readonly serial?: SerialReply | null;
}

/** Reads something that {@link writeWhole} wrote. */
export function readWhole<T>(file: string): T {
  return deserialize(readFileSync(file)) as T;
}

/** Writes a file that is seen whole or not at all, however many processes write. */
export function writeWhole(file: string, value: unknown): void {
  const draft = `${file}.${randomUUID()}.tmp`;
  writeOwn(draft, serialize(value), { flag: 'w', mode: 0o600 });
  renameOwn(draft, file);
}

/** The job of this process, if it has one. */
export function ownJob(): Job | null {
  const file = process.env[JOB_FILE];
  return file ? readWhole<Job>(file) : null;
}

/** Options of the runner's process, for its children: what it gives them spells out every default as well. */
const RUNNER_OPTIONS = 'UNWEAVE_RUNNER';
/** Name of the note that the nearest process of the command has left: this one's own, or one above it. */
const WITHIN = 'UNWEAVE_WITHIN';
/** File with the recipe of a command that has workers, for those. */
export const COMMAND_RECIPE = 'UNWEAVE_COMMAND';
/** What a process is told by us. */
const TOLD = [JOB_FILE, CONFIG_VARIABLE, PEERS_VARIABLE, RUNNER_OPTIONS, WITHIN, COMMAND_RECIPE];
const OURS: ReadonlySet<string> = new Set([
  ...TOLD,
  'NODE_TEST_CONTEXT',
  // Every run has a temporary directory of its own.
  'TMPDIR',
]);

/** In the runner's own process: tells its children what they are to take for their options. */
export function tellChildren(): void {
  process.env[RUNNER_OPTIONS] = JSON.stringify(process.execArgv);
}

function optionsOfRunner(): readonly string[] | null {
  const told = process.env['NODE_TEST_CONTEXT'] ? process.env[RUNNER_OPTIONS] : undefined;
  return told ? (JSON.parse(told) as string[]) : null;
}

/** This process leaves a note of this name: all that it starts is told so. Returns the name of the one above it. */
export function standsWithin(name: string): string | null {
  const above = noteAround();
  process.env[WITHIN] = name;
  return above;
}

/** Name of the note of this process, or of the nearest one above it. */
export const noteAround = (): string | null => process.env[WITHIN] ?? null;

/** This process as a recipe, without what we added to it. */
export function ownRecipe(job: Job): Recipe {
  const env: Record<string, string> = {};
  for (const [key, value] of Object.entries(process.env)) {
    if (value === undefined || OURS.has(key)) continue;
    env[key] = value;
  }
  env['NODE_OPTIONS'] = joinOptions(
    withoutOurs(withoutDropped(splitOptions(env['NODE_OPTIONS'] ?? '')), job),
  );
  return {
    execPath: process.execPath,
    execArgv: withoutOurs(withoutDropped(optionsOfRunner() ?? process.execArgv), job),
    argv: argv(),
    cwd: process.cwd(),
    runner: process.execArgv.includes('--test'),
    env,
  };
}

/** The script, by its file, and what it was given. */
function argv(): string[] {
  const [script, ...rest] = ownScript();
  return script === undefined ? [] : [fileOfScript(script), ...rest];
}

/** Options of this process, those of the environment first, as Node takes them. */
export const allOptions = (): string[] => [
  ...splitOptions(process.env['NODE_OPTIONS'] ?? ''),
  ...process.execArgv,
];

type Options = Pick<Recipe, 'execArgv' | 'env'>;
const OF_IMPORT = /^(?:--import|--loader|--experimental-loader)(?:=|$)/;
const OF_REQUIRE = /^(?:--require|-r)(?:=|$)/;
const optionsOf = ({ execArgv, env }: Options): string[] => [
  ...splitOptions(env['NODE_OPTIONS'] ?? ''),
  ...execArgv,
];

/** An option by which the user changes how modules are loaded. */
export const loaderOption = (options: Options): string | null =>
  optionsOf(options).find((arg) => OF_IMPORT.test(arg) || OF_REQUIRE.test(arg)) ?? null;

/** Which loaders of the user there may be. With those of `import` Node loads the program itself by them, too. */
export function loadersOf(options: Options): ViaLoaders {
  const all = optionsOf(options);
  if (all.some((arg) => OF_IMPORT.test(arg))) return 'import';
  return all.some((arg) => OF_REQUIRE.test(arg)) ? 'require' : false;
}

/**
 * What this process starts from here on is part of the program under test, and runs as it would without us: it finds
 * nothing of ours in its environment. Called where the process is known to be a subject, or to have tests.
 */
export function leaveChildrenAlone(job: Job): void {
  // Threads need what their own process was told.
  if (job.mode === 'threads') return;
  const { env } = process;
  const own = withOurs(undefined, job);
  const given = env['NODE_OPTIONS'] ?? '';
  if (given === own) delete env['NODE_OPTIONS'];
  else if (given.startsWith(`${own} `)) env['NODE_OPTIONS'] = given.slice(own.length + 1);
  for (const name of TOLD) delete env[name];
  // Where Node's test runner hands options on as arguments, `fork` would, too.
  const { execArgv } = process;
  execArgv.splice(0, execArgv.length, ...withoutOurs(execArgv, job));
}

/** `--require` and a path, or `--import` and a URL. */
export type Preload = readonly [option: '--require' | '--import', module: string];

/** `NODE_OPTIONS` with our own in front. */
export const withOurs = (
  nodeOptions: string | undefined,
  { preload, permissions }: Pick<Job, 'preload' | 'permissions'>,
): string => `${joinOptions([preload.join('='), ...permissions])}${nodeOptions ? ` ${nodeOptions}` : ''}`;

const withoutOurs = (
  args: readonly string[],
  { preload, permissions }: Pick<Job, 'preload' | 'permissions'>,
): string[] => args.filter((arg) => arg !== preload.join('=') && !permissions.includes(arg));
