/** The versioned JSON report (`--json`). Lines and columns count from 1; files are relative to the working directory. */
import { z } from 'zod';
import { SHAPES } from './prediction.ts';
import { VERDICTS } from './verdicts.ts';

/** Raised whenever a reader of the previous version would misread a report. */
export const REPORT_VERSION = 1;

const count = z.int().nonnegative();
const ratio = z.string().regex(/^\d+\/\d+$/, 'expected a ratio such as "3/3"');

/** Did the test pass, repeatedly, in the observed order? */
export const BASELINES = ['passed', 'red', 'flaky'] as const;
/** Could the prediction see anything? */
export const COVERAGES = ['analysed', 'no-concurrency', 'blind'] as const;
/**
 * How far the analysis of a test came. `complete`: all that the options ask for was executed and judged; `partly`: a
 * budget, an interruption or runs that could not be judged left something over; `none`: nothing was judged.
 */
const ANALYSES = ['complete', 'partly', 'none'] as const;
/** How a forced run failed. */
export const BUG_KINDS = ['assertion', 'exception', 'unhandled-rejection', 'deadlock', 'timeout'] as const;

/** Where something was called from. */
const reportCallSchema = z.strictObject({
  file: z.string(),
  line: z.int().positive(),
  /** Of the name of what is called, where that is known; else of the first character of the line. */
  column: z.int().positive(),
  /** Name of the function that calls; empty: it has none. */
  function: z.string(),
});

/** One access of a bug's pattern. */
const reportAccessSchema = z.strictObject({
  file: z.string(),
  line: z.int().positive(),
  column: z.int().positive(),
  access: z.enum(['read', 'write']),
  task: z.string(),
  /** The calls that led there, innermost first. */
  calledFrom: z.array(reportCallSchema).default([]),
});

/** Other program points of the same defect. */
const reportVariantSchema = z.strictObject({
  pattern: z.enum(SHAPES).nullable(),
  first: reportAccessSchema.nullable(),
  remote: reportAccessSchema.nullable(),
  second: reportAccessSchema.nullable(),
});

/**
 * What naturally wakes up who waits in vain: what `by` does, last seen at `near`, once `after` has come. `early`: that comes before the
 * wait; `unheard`: it comes since then and does not wake it up; `never`: it does not come.
 */
const reportWakeUpSchema = z.strictObject({
  waiter: z.string(),
  by: z.string(),
  near: z
    .strictObject({
      file: z.string(),
      line: z.int().positive(),
      column: z.int().positive(),
      text: z.string(),
    })
    .nullable(),
  after: z.string().nullable(),
  when: z.enum(['early', 'unheard', 'never']),
});

/**
 * `shared`: what both touched, of which one at least has written. `blind`: silence of the test says nothing of that. `within`: it is a
 * source of the user's that ran in a process of its own, and what it did there by itself.
 */
export const besideSchema = z.strictObject({
  processes: z.array(z.string()),
  shared: z.array(z.string()),
  blind: z.boolean(),
  within: z.boolean().default(false),
});
export type Beside = z.infer<typeof besideSchema>;

const reportTestSchema = z.strictObject({
  id: z.string(),
  file: z.string(),
  name: z.string(),
  /** null: the run was ended before the test was judged. */
  baseline: z.enum(BASELINES).nullable(),
  /** null: not analysed, because the baseline did not pass or the run was ended before. */
  coverage: z.enum(COVERAGES).nullable(),
  /** null: written by a version that did not say. */
  analysis: z.enum(ANALYSES).nullable().default(null),
  events: count,
  tasks: count,
  sharedEntities: count,
  /** Feasible orders of its host answers: how many were executed where it is `all`, else about how many there are. */
  orders: z.strictObject({ count: z.number().nonnegative(), all: z.boolean() }).nullable(),
  cutPoints: count,
  schedules: count,
  /** Predicted orders that were not forced. */
  left: count.default(0),
  verdicts: z.strictObject(
    Object.fromEntries(VERDICTS.map((verdict) => [verdict, count])) as Record<
      (typeof VERDICTS)[number],
      typeof count
    >,
  ),
  /** Those among the unknown ones that came to no end in the time allowed: perhaps they never would. */
  endless: count.default(0),
  /** Of a test that fails without any forcing: how it ends on plain Node, and what the difference may come from. */
  plain: z
    .strictObject({ outcome: z.enum(['pass', 'fail']), cause: z.string() })
    .nullable()
    .default(null),
  /**
   * Of a test that fails in the natural order, and was analysed from another one that passes: what it says there, and how many
   * runs on plain Node pass.
   */
  natural: z.strictObject({ error: z.string(), plain: ratio }).nullable().default(null),
  /** `host:port` of servers in other processes that it talked to and that were not allowed: it was not forced. */
  peers: z.array(z.string()).default([]),
  /** Sources of the user's that ran without being looked into. */
  unseen: z.array(z.string()).default([]),
  /** Why each forced run of it took a process of its own, which is slow; null: they shared one, or there was none. */
  ownProcesses: z.string().nullable().default(null),
  /** A confirmed failure of it for which no time was left to tell a race from a fixed time of its own; null: there is none. */
  undecided: z.string().nullable().default(null),
  /** What processes or workers that it has started did at the same time as others, or as itself, and nobody judged. */
  beside: z.array(besideSchema).default([]),
  /** Of the threads of a test case whose event loop was analysed for itself: the id of that; null: it is a test case of its own. */
  partOf: z.string().nullable().default(null),
});

/** A bug is a race, or a test whose own fixed time is too short: see timing-dependent tests in docs/configuration.md. */
const BUG_CLASSES = ['race', 'timing'] as const;
/** What it takes for an order to come by itself: from 0, 5, 50 and 500 ms on that something is late or stands still. */
const LIKELIHOODS = ['any run', 'a moment of load', 'a busy machine', 'an incident'] as const;

const place = z.strictObject({ file: z.string(), line: z.int().positive(), column: z.int().positive() });

/** Fields with a default are absent in bugs that an earlier version stored. */
export const reportBugSchema = z.strictObject({
  id: z.string(),
  /** Id of the test. */
  test: z.string(),
  kind: z.enum(BUG_KINDS),
  class: z.enum(BUG_CLASSES).default('race'),
  /** Of class `timing`: which rule makes it that, the timer that went off early, and what it overtook. */
  timing: z
    .strictObject({
      rule: z.enum(['sleep', 'given', 'expired', 'outlasted', 'pause', 'late']),
      timer: z.string().nullable(),
      at: place.nullable(),
      overtaken: z.string().nullable(),
    })
    .nullable()
    .default(null),
  /** A timer inside an operation, which stands for I/O, and how long it has to take, ms; null: the order needs none. */
  latency: z
    .strictObject({ timer: z.string(), at: place.nullable(), ms: z.number(), tookMs: z.number() })
    .nullable()
    .default(null),
  /**
   * null where no pattern is known (order bug, deadlock). Of an order bug `first` and `second` are two accesses to
   * the entity that naturally come in the other order, and `remote` is null; all are null where none are known.
   */
  pattern: z.enum(SHAPES).nullable(),
  entity: z.string().nullable(),
  /** The assumption that the bug rests on; null: none, it counts. */
  conditional: z.string().nullable(),
  first: reportAccessSchema.nullable(),
  remote: reportAccessSchema.nullable(),
  second: reportAccessSchema.nullable(),
  /**
   * Without a pattern, where naturally only one of the two accesses comes, or the order of both says nothing: `cut`: `first` ended or changed
   * what the operation of `second` went on with; `late`: `first` is a time-out's, `second` of what that was for and came late.
   * null: they came in the other order.
   */
  collision: z.enum(['cut', 'late']).nullable().default(null),
  /** Of two variables that have to agree, the one that `second` is about, and the remote task's access to it; null: there is one. */
  other: z.strictObject({ entity: z.string(), remote: reportAccessSchema }).nullable().default(null),
  variants: z.array(reportVariantSchema),
  /** Installed packages that were called in the failing order and not looked into: what they keep is not known. */
  packages: z.array(z.string()).default([]),
  /** Installed packages that were looked into for this finding alone, as nothing else explained it. */
  lookedInto: z.array(z.string()).default([]),
  /** Deadlock: who waits for what, one line each. */
  waits: z.array(z.string()),
  /** Deadlock: what naturally wakes up the first of them; null: an answer of the host does, or it is not known. */
  wakeUp: reportWakeUpSchema.nullable().default(null),
  error: z.string(),
  reproduced: ratio,
  /**
   * What it is compared with and `control` counts: the natural order, or, where that fails, the nearest one that passes; then
   * `schedulesUntilFound` is 0 where this is the natural order itself.
   */
  against: z.enum(['natural', 'passing']).default('natural'),
  control: ratio,
  witness: ratio.nullable(),
  /**
   * The nearest passing order: the failing one with `step` (`block`: and what follows of its task) put before or
   * after `anchor`; null: none was found.
   */
  counterfactual: z
    .strictObject({
      step: z.string(),
      now: z.enum(['before', 'after']),
      anchor: z.string(),
      block: z.boolean(),
      passed: ratio,
    })
    .nullable()
    .default(null),
  /** Failing orders that pass when nothing of another task falls between `first` and `second`; null: not checked. */
  fix: ratio.nullable().default(null),
  /**
   * The order takes what lies between two ends in one process for a network: no order known fails with `--loopback strict`.
   * null: nothing is between such ends, or it was not tried.
   */
  network: z.boolean().nullable().default(null),
  requiredStallMs: z.number().nonnegative(),
  requiredPauseMs: z.number().nonnegative().default(0),
  likelihood: z.enum(LIKELIHOODS).nullable().default(null),
  switches: count,
  schedulesUntilFound: count,
  /** The command that shows it again. */
  replay: z.string(),
});

export const reportSchema = z.strictObject({
  version: z.literal(REPORT_VERSION),
  tests: z.array(reportTestSchema),
  bugs: z.array(reportBugSchema),
  timing: z.strictObject({
    monitorMs: z.number().nonnegative(),
    predictMs: z.number().nonnegative(),
    rescheduleMs: z.number().nonnegative(),
  }),
});

export type Baseline = (typeof BASELINES)[number];
export type Coverage = (typeof COVERAGES)[number];
export type Analysis = (typeof ANALYSES)[number];
export type ReportCall = z.infer<typeof reportCallSchema>;
export type ReportAccess = z.infer<typeof reportAccessSchema>;
export type ReportVariant = z.infer<typeof reportVariantSchema>;
export type ReportTest = z.infer<typeof reportTestSchema>;
export type ReportWakeUp = z.infer<typeof reportWakeUpSchema>;
export type ReportBug = z.infer<typeof reportBugSchema>;
export type Report = z.infer<typeof reportSchema>;

/** A report that cannot be read; the message is one line. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
}

/** Reads a report that somebody wrote. `origin` names it in errors. */
export function parseReport(text: string, origin: string): Report {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new ReportError(`${origin}: not a JSON report`);
  }
  const version = (value as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > REPORT_VERSION)
    throw new ReportError(`${origin}: a report of version ${version}, written by a newer unweave`);
  const result = reportSchema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new ReportError(`${origin}: not a report: ${issue?.path.join('.') || 'report'}: ${issue?.message}`);
}

/** The schema of a report as JSON Schema, for tools that read reports. */
export function reportJsonSchema(): object {
  const schema = z.toJSONSchema(reportSchema);
  return { ...schema, title: 'Unweave report', description: 'See json-report.md for what the keys mean.' };
}
