/** `--list`: what would be run, how long that may take by what one run shows, and what the budgets allow. */
import { coverageOf } from '../../predictor/coverage.ts';
import { predict } from '../../predictor/predict.ts';
import type { ListView } from '../../report/list.ts';
import { type Recording, type Subject, SubjectError } from '../../rescheduler/subjects/protocol.ts';
import type { RunOptions } from '../options.ts';
import type { PipelineResult } from '../pipeline-api.ts';
import type { StageContext } from './context.ts';
import { loopOf } from './predict.ts';

/** What forcing a test is expected to take. */
export interface Expected {
  /** Predicted orders; null: not known without a run. */
  readonly schedules: number | null;
  /** Forced runs, and how long one takes, ms. */
  readonly runs: number;
  readonly msPerRun: number;
}

/** A test that cannot be forced, or has one order. */
const NOTHING = { schedules: 0, runs: 0, msPerRun: 0 };
/** Random orders beside those that are predicted, as a rule. */
const BESIDE = 20;
/** Starting the process of a test, and the least that a forced run takes, ms. */
const START_MS = 400;
const LEAST_MS = 2;

export async function list(context: StageContext): Promise<PipelineResult> {
  const started = performance.now();
  await context.findSubjects();
  const commandMs = performance.now() - started;
  const subjects = [...context.subjects.values()];
  const expected: (Expected | null)[] = [];
  for (const subject of subjects) expected.push(await expectedOf(context, subject));
  const view: ListView = {
    tests: subjects.map(({ file, name }, at) => ({ file, name, schedules: expected[at]?.schedules ?? null })),
    ...estimate(expected, commandMs, context.options),
  };
  const timing = { monitorMs: 0, predictMs: 0, rescheduleMs: 0 };
  const report = { version: 1 as const, tests: [], bugs: [], timing };
  return { report, views: { bugs: [], tests: {} }, exitCode: 0, list: view };
}

/** null: nothing is known of it. A command has run its tests once to find them; harnesses are not run here. */
async function expectedOf(context: StageContext, subject: Subject): Promise<Expected | null> {
  const { store, options } = context;
  if (subject.kind === 'harness') {
    const known = store.getTest(subject.id)?.predicted === true;
    return known ? forcing(store.schedules(subject.id).length, LEAST_MS, options) : null;
  }
  const recording = await recordingOf(context, subject);
  if (!recording) return NOTHING;
  const { trace, result } = recording;
  const isOne = result.breadth === 0 && Object.keys(result.ungated).length === 0;
  if (result.outcome !== 'pass' || isOne || coverageOf(trace).coverage !== 'analysed') return NOTHING;
  const { schedules } = predict(trace, loopOf(options));
  return forcing(schedules.length, Math.max(LEAST_MS, result.durationMs), options);
}

/** null: it cannot be run, which the analysis will say. */
async function recordingOf(context: StageContext, subject: Subject): Promise<Recording | null> {
  try {
    return await context.record(subject);
  } catch (error) {
    if (error instanceof SubjectError) return null;
    throw error;
  }
}

function forcing(schedules: number, msPerRun: number, { maxSchedules }: RunOptions): Expected {
  return { schedules, runs: Math.min(maxSchedules, schedules + BESIDE), msPerRun };
}

/**
 * What the whole analysis may take. Beside the forced runs the command runs twice (`commandMs` each); a test that has
 * nothing to be forced takes nothing of its budget.
 */
export function estimate(
  expected: readonly (Expected | null)[],
  commandMs: number,
  { jobs, maxTimeMs, totalTimeMs = Number.POSITIVE_INFINITY }: RunOptions,
): Pick<ListView, 'atMostMs' | 'aboutMs'> {
  const longest = (one: Expected | null): number => (one?.runs === 0 ? 0 : maxTimeMs);
  const each = expected.map((one) => {
    if (one === null || one.runs === 0) return 0;
    return Math.min(maxTimeMs, START_MS + one.runs * one.msPerRun);
  });
  const sum = (of: readonly number[]): number => of.reduce((all, ms) => all + ms, 0);
  const whole = (of: readonly number[]): number => {
    const ms = 2 * commandMs + Math.max(sum(of) / jobs, ...of, 0);
    return Math.min(ms, totalTimeMs);
  };
  return {
    atMostMs: whole(expected.map(longest)),
    aboutMs: expected.includes(null) ? null : whole(each),
  };
}
