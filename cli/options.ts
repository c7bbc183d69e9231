/** Everything a command needs to know, from the command line over the configuration file over defaults. */
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { budgetOf, configSchema } from '../data/config.ts';
import { loadConfig } from '../data/config-file.ts';
import { type Shard, shardSchema } from '../data/plan.ts';
import { isLog, REPORTER_NAMES, WANTED, type WantedReporter } from '../report/wanted.ts';
import { SEARCHES } from '../rescheduler/strategies/list.ts';
import { UsageError } from './errors.ts';

const targetSchema = z.discriminatedUnion('kind', [
  /** A test command, as given after `--`. */
  z.strictObject({ kind: z.literal('command'), argv: z.array(z.string()).min(1).readonly() }),
  /** The same, with its requests or its calls overlapping. */
  z.strictObject({ kind: z.enum(['requests', 'calls']), argv: z.array(z.string()).min(1).readonly() }),
  /** Harness files or folders. */
  z.strictObject({ kind: z.literal('harness'), paths: z.array(z.string().min(1)).min(1).readonly() }),
]);

const runOptionsSchema = configSchema.omit({ $schema: true, deep: true }).extend({
  cwd: z.string(),
  maxSchedules: z.int().nonnegative(),
  maxTimeMs: z.int().positive(),
  /** The budget of a test is used up, and does not only bound its search. */
  isDeep: z.boolean(),
  /** null: what the store recorded (`reschedule`, `replay`), or nothing needed (`predict`, `inspect`). */
  target: targetSchema.nullable(),
  jobs: z.int().positive(),
  strategy: z.string().refine((name) => SEARCHES.includes(name), 'no such strategy'),
  /** File of the JSON report, `-` for standard output, null for none. */
  json: z.string().min(1).nullable(),
  /** Other reports, each with its file; `-` for standard output. */
  reporters: z.array(z.strictObject({ name: z.enum(REPORTER_NAMES), file: z.string().min(1) })),
  /** Only say what would be run. */
  list: z.boolean(),
  writeBaseline: z.string().min(1).nullable(),
  /** Keep what holds of earlier runs; of which commit on tests are forced, '': any. null: keep nothing. */
  changed: z.string().nullable(),
  /** The part of a plan that is run; null: everything. */
  shard: shardSchema.nullable(),
  /** Where the queue of a plan is; null: there is none. */
  redis: z.url({ protocol: /^rediss?$/, error: 'expected a URL such as redis://host:6379' }).nullable(),
  /** Take entries out of the baseline that are found no more. */
  pruneBaseline: z.boolean(),
  /** Replay: how often. */
  times: z.int().positive(),
  /** How often a bug is run on plain Node; 0: not at all. */
  witness: z.int().nonnegative(),
  /** Replay: stop in the debugger before the first step. */
  inspectBrk: z.boolean(),
  /** Replay: stop in the debugger at the accesses that explain the bug, and nowhere else. */
  break: z.boolean(),
  /** Replay: tell the run event by event. */
  trace: z.boolean(),
  /** Store every event as a row for the sqlite3 shell. */
  rows: z.boolean(),
  color: z.boolean(),
  verbose: z.boolean(),
  /** One test that somebody knows to be flaky: looked at as long as there is time. */
  isThorough: z.boolean(),
  /** What the command line said of the program and of where things are kept, as words: for commands that do more of the same. */
  said: z.array(z.string()),
  /** Nothing but a report for machines is wanted: no progress line, no report for people. */
  quiet: z.boolean(),
});

/** Options of one command, checked and complete. Paths are as given, relative to `cwd`. */
export type RunOptions = z.output<typeof runOptionsSchema>;
export type Target = z.output<typeof targetSchema>;

/** What the command line gave; absent keys leave the configuration's value. */
export interface Flags {
  readonly config?: string;
  readonly json?: string;
  readonly reporter?: readonly WantedReporter[];
  readonly html?: string | true;
  readonly instrument?: readonly string[];
  readonly exclude?: readonly string[];
  readonly assumeIo?: readonly string[];
  readonly allowPeer?: readonly string[];
  readonly maxSchedules?: number;
  readonly deep?: boolean;
  /** Seconds, as on the command line. */
  readonly maxTime?: number;
  readonly totalTime?: number;
  /** The same, by another name. */
  readonly budget?: number;
  readonly commandTimeout?: number;
  readonly maxStall?: number;
  readonly assumeStall?: number;
  readonly loopback?: string;
  readonly strategy?: string;
  readonly seed?: number;
  readonly jobs?: number;
  readonly store?: string;
  readonly list?: boolean;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly pruneBaseline?: boolean;
  readonly changed?: string | true;
  readonly shard?: Shard;
  readonly redis?: string;
  /** Of merge: shards may be missing. */
  readonly partial?: boolean;
  readonly reportOnly?: boolean;
  readonly confirm?: number;
  readonly failOn?: readonly string[];
  readonly times?: number;
  /** Of explain. */
  readonly thorough?: true;
  readonly testNamePattern?: string;
  readonly witness?: number;
  readonly inspectBrk?: boolean;
  readonly break?: boolean;
  readonly trace?: boolean;
  /** Of export: the test that is written. */
  readonly out?: string;
  readonly rows?: boolean;
  /** predict: a trace of threads instead of the store. */
  readonly std?: string;
  /** With `std`: every reachable occurrence. */
  readonly all?: boolean;
  /** With `std`: where a schedule is written as a trace. */
  readonly writeStd?: string;
  readonly color?: boolean;
  readonly verbose?: boolean;
}

const SAID = {
  config: '--config',
  store: '--store',
  instrument: '--instrument',
  exclude: '--exclude',
  commandTimeout: '--command-timeout',
  allowPeer: '--allow-peer',
  assumeIo: '--assume-io',
  maxStall: '--max-stall',
  assumeStall: '--assume-stall',
  loopback: '--loopback',
  seed: '--seed',
  confirm: '--confirm',
} as const satisfies Partial<Record<keyof Flags, string>>;

const wordsOf = (flags: Flags): string[] =>
  Object.entries(SAID).flatMap(([key, flag]) =>
    [flags[key as keyof typeof SAID] ?? []].flat().flatMap((value) => [flag, String(value)]),
  );

const milliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : Math.max(1, Math.round(seconds * 1000));

/**
 * Merges and checks. Lists of the command line are added to those of the configuration; single values
 * replace it. A configuration that was named must exist.
 */
export async function resolveOptions(flags: Flags, target: Target | null, cwd: string): Promise<RunOptions> {
  const loaded = await loadConfig(cwd, flags.config);
  const { $schema: _, deep, ...config } = loaded.config;
  const html = flags.html === true ? WANTED.html.file : flags.html;
  const reporters = [
    ...(flags.reporter ?? []),
    ...(html === undefined ? [] : [{ name: 'html' as const, file: html }]),
  ];
  const toStdout = [
    ...(flags.json === '-' ? ['json'] : []),
    ...reporters.filter(({ name, file }) => file === '-' && !isLog(name)).map(({ name }) => name),
  ];
  if (toStdout.length > 1)
    throw new UsageError(`only one report can go to standard output, not ${toStdout.join(' and ')}`);
  const result = runOptionsSchema.safeParse({
    ...config,
    cwd,
    target,
    instrument: [...config.instrument, ...(flags.instrument ?? [])],
    exclude: [...config.exclude, ...(flags.exclude ?? [])],
    locks: config.locks.map((module) =>
      module.startsWith('.') ? resolve(cwd, dirname(flags.config ?? '.'), module) : module,
    ),
    assumeIo: [...config.assumeIo, ...(flags.assumeIo ?? [])],
    allowPeers: [...config.allowPeers, ...(flags.allowPeer ?? [])],
    ...budgetOf({
      deep: flags.deep ?? deep,
      maxSchedules: flags.maxSchedules ?? config.maxSchedules,
      maxTimeMs: milliseconds(flags.maxTime) ?? config.maxTimeMs,
    }),
    totalTimeMs: milliseconds(flags.budget ?? flags.totalTime) ?? config.totalTimeMs,
    maxStallMs: flags.maxStall ?? config.maxStallMs,
    assumeStallMs: flags.assumeStall ?? config.assumeStallMs,
    loopback: flags.loopback ?? config.loopback,
    commandTimeoutMs: milliseconds(flags.commandTimeout) ?? config.commandTimeoutMs,
    seed: flags.seed ?? config.seed,
    jobs: flags.jobs ?? config.jobs ?? availableParallelism(),
    store: flags.store ?? config.store,
    confirm: flags.confirm ?? config.confirm,
    failOn: [...config.failOn, ...(flags.failOn ?? [])],
    baseline: flags.baseline ?? config.baseline,
    strategy: flags.strategy ?? 'directed',
    json: flags.json ?? null,
    reporters,
    list: flags.list ?? false,
    writeBaseline: flags.writeBaseline ?? null,
    changed: flags.changed === true ? '' : (flags.changed ?? null),
    shard: flags.shard ?? null,
    redis: flags.redis ?? null,
    pruneBaseline: flags.pruneBaseline ?? false,
    reportOnly: flags.reportOnly ?? config.reportOnly,
    times: flags.times ?? 1,
    witness: flags.witness ?? 0,
    inspectBrk: flags.inspectBrk ?? flags.break ?? false,
    break: flags.break ?? false,
    trace: flags.trace ?? false,
    rows: flags.rows ?? false,
    color: flags.color ?? true,
    verbose: flags.verbose ?? false,
    isThorough: flags.thorough ?? false,
    said: wordsOf(flags),
    quiet: toStdout.length > 0,
  });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new UsageError(`${issue?.path.join('.') || 'options'}: ${issue?.message}`);
}
