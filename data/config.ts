/** The keys of the user's configuration and what they may be; command line options override them. */
import { z } from 'zod';
import { closest } from './closest.ts';
import { FAIL_SWITCHES } from './fail-on.ts';
import { LOOPBACKS } from './feasibility/rules.ts';

/** A test command that says nothing for so long hangs, ms. */
export const DEFAULT_COMMAND_TIMEOUT_MS = 60_000;

const names = z.array(z.string().min(1)).readonly().default([]);
const positive = z.int().positive();

/** What is spent on one test where nobody says anything, and where a deep search is wanted. */
export const DEFAULT_BUDGET = { maxSchedules: 200, maxTimeMs: 60_000 } as const;
export const DEEP_BUDGET = { maxSchedules: 5000, maxTimeMs: 300_000 } as const;
/** Where more time than usual is given and no number of schedules: time is what ends the search. */
const ANY_NUMBER = 100_000;

interface GivenBudget {
  readonly deep: boolean;
  readonly maxSchedules?: number | undefined;
  readonly maxTimeMs?: number | undefined;
}

/** `isDeep`: what was asked for is used up; the default only bounds a search that ends where nothing speaks for more. */
export function budgetOf({ deep, maxSchedules, maxTimeMs }: GivenBudget) {
  const usual = deep ? DEEP_BUDGET : DEFAULT_BUDGET;
  const isLonger = maxTimeMs !== undefined && maxTimeMs >= usual.maxTimeMs;
  return {
    maxSchedules: maxSchedules ?? (isLonger ? ANY_NUMBER : usual.maxSchedules),
    maxTimeMs: maxTimeMs ?? usual.maxTimeMs,
    isDeep: deep || maxSchedules !== undefined || maxTimeMs !== undefined,
  };
}

/** Every key, with its default. */
export const configSchema = z.strictObject({
  /** For editors; not read. */
  $schema: z.string().optional(),
  /** Packages of node_modules, or globs, to instrument besides the user's own sources. */
  instrument: names,
  /** Globs of files that are never instrumented. */
  exclude: names,
  /** Modules that export lock adapters, as import specifiers relative to the configuration. */
  locks: names,
  /** Functions that are transactions, or are not, as `file#function`. */
  atomic: names,
  notAtomic: names,
  /** Forced schedules per test; default: {@link DEFAULT_BUDGET}. One that is given is used up, see {@link budgetOf}. */
  maxSchedules: z.int().nonnegative().optional(),
  /** Time per test, ms. */
  maxTimeMs: positive.optional(),
  /** Search until {@link DEEP_BUDGET} is used up. */
  deep: z.boolean().default(false),
  /** Time for the whole run, ms. */
  totalTimeMs: positive.optional(),
  /** The longest delay of an answer that an order may need, ms. */
  maxStallMs: z.int().nonnegative().default(1000),
  /** Orders that need a stall up to this are forced as well, as conditional ones, ms; default: none beyond. */
  assumeStallMs: z.int().nonnegative().optional(),
  /** Largest pause of the CPU that an order may presume, ms. */
  maxPauseMs: z.int().nonnegative().default(250),
  /** What lies between two ends of a connection in one process: a network, or, `strict`, the kernel. */
  loopback: z.enum(LOOPBACKS).default('network'),
  /** Real time after which one run is given up, ms. */
  watchdogMs: positive.default(10_000),
  /** Time without a word or a finished test after which the test command is given up, ms. */
  commandTimeoutMs: positive.default(DEFAULT_COMMAND_TIMEOUT_MS),
  /** Failures, and passes of the control, that confirm a bug. */
  confirm: positive.default(3),
  /** Processes at a time; default: as many as the machine offers. */
  jobs: positive.optional(),
  /** Of the random orders. */
  seed: z.int().nonnegative().default(1),
  /** `file-glob` or `file#function` whose calls complete like a host request. */
  assumeIo: names,
  /** Servers in other processes that forced runs may talk to: `host:port`, or the path of a socket. */
  allowPeers: names,
  /** Harnesses of threads are recorded while their threads run side by side; accesses that race may be out of order. */
  freeRecording: z.boolean().default(false),
  /** Known bugs that are not reported: bug ids, or entities. */
  ignore: names,
  /** Which lists count for the exit code, beside those that do by default, and which do not. */
  failOn: z.array(z.enum(FAIL_SWITCHES)).readonly().default([]),
  /** Findings do not change the exit code: it is 0. */
  reportOnly: z.boolean().default(false),
  /** File of known bugs. */
  baseline: z.string().min(1).optional(),
  /** The trace store. */
  store: z.string().min(1).default('.unweave/trace.db'),
});

export type Config = z.output<typeof configSchema>;

/** A configuration that cannot be used; the message is one line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Checks a configuration, fills in the defaults. `origin` names it in errors, `within` the keys that lead to it there. */
export function checkConfig(value: unknown, origin: string, within: readonly string[] = []): Config {
  const result = configSchema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0] as z.core.$ZodIssue;
  throw new ConfigError(`${origin}: ${describe({ ...issue, path: [...within, ...issue.path] })}`);
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const guess = closest(key, Object.keys(configSchema.shape));
    return `unknown key ${JSON.stringify(key)}${guess ? ` (did you mean ${JSON.stringify(guess)}?)` : ''}`;
  }
  const where = issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
  return `${where}${issue.message.replace(/^Invalid input: /, '').replaceAll('\n', ' ')}`;
}

/** Reads a configuration from JSON text. */
export function parseConfig(text: string, origin: string): Config {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ConfigError(`${origin}: not JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`);
  }
  return checkConfig(value, origin);
}
