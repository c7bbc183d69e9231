/** Stage 3: forces the schedules of every test; what fails is confirmed and becomes a bug. */
import PQueue from 'p-queue';
import type { Schedule } from '../../data/prediction.ts';
import { MINIMAL, type TestRecord } from '../../data/store/index.ts';
import { type Finding, investigate } from '../../rescheduler/investigate/investigate.ts';
import { type Subject, SubjectError } from '../../rescheduler/subjects/protocol.ts';
import type { RunOptions } from '../options.ts';
import { runAgain } from './baseline-runs.ts';
import { complete, describe, type Kept, keep } from './bug.ts';
import type { Context } from './context.ts';
import { ORIGIN } from './origin.ts';

export async function rescheduleStage(context: Context): Promise<void> {
  const started = performance.now();
  const { store, options } = context;
  const todo = store.testsToDo('reschedule');
  for (const test of todo) context.counters.planned += pendingOf(context, test).length;
  const queue = new PQueue({ concurrency: options.jobs });
  const force = async (test: TestRecord): Promise<void> => {
    const subject = context.subjects.get(test.id);
    if (!subject || context.over) return;
    try {
      await context.attempt(() => rescheduleTest(context, test, subject));
    } catch (error) {
      // It worked before: whatever it is, it does not happen every time, and must not cost the other tests.
      if (!(error instanceof SubjectError)) throw error;
      giveUp(context, test, error.message);
    }
    await subject.close();
  };
  await Promise.all(todo.map((test) => queue.add(() => force(test))));
  store.addTiming('reschedule', performance.now() - started);
}

/** Nothing is forced in a test that does not pass every time. */
function giveUp(context: Context, test: TestRecord, why: string): void {
  context.store.updateTest(test.id, { baseline: 'flaky', note: why, finished: true });
  context.note(test.id, { reason: why });
}

/** A forced run may take so many times as long as an observed one, and no less than this, before it is given up, ms. */
const SLOWER = 100;
const LEAST_WATCHDOG_MS = 2000;

const watchdogOf = ({ watchdogMs }: Pick<RunOptions, 'watchdogMs'>, observedMs: number): number =>
  Math.min(watchdogMs, Math.max(LEAST_WATCHDOG_MS, SLOWER * observedMs));

/** Schedules of the predictor that are still to be forced; minimal forms of found ones are for replay only. */
function pendingOf({ store }: Context, test: TestRecord): Schedule[] {
  return store
    .pendingSchedules(test.id)
    .filter(({ origin, schedule }) => origin === 'directed' && !schedule.id.endsWith(MINIMAL))
    .map(({ schedule }) => schedule);
}

async function rescheduleTest(whole: Context, test: TestRecord, subject: Subject): Promise<void> {
  const { store, options, counters } = whole;
  const maxTimeMs = Math.min(options.maxTimeMs, whole.left);
  const context = whole.within(maxTimeMs);
  const trace = store.getTrace(test.id);
  const schedules = pendingOf(context, test);
  const kept = new Map<Finding, Kept>();
  const { failing, expected, slowestMs } = await runAgain(context, subject);
  // A test that was not repeated as often as it should be is left for the next command.
  if (context.over) return;
  if (failing) return giveUp(context, test, failing);
  context.options = { ...options, watchdogMs: watchdogOf(options, slowestMs) };
  const investigation = await investigate(
    {
      execute: (spec, assumed) =>
        subject.execute(spec, { ...context.under(assumed), wantChoices: spec.kind === 'prefix' }),
      executeFresh: (spec, assumed) => subject.executeFresh(spec, context.under(assumed)),
    },
    trace?.steps ?? [],
    { cutPoints: store.getCutPoints(test.id), schedules },
    {
      maxSchedules: options.maxSchedules,
      maxTimeMs,
      used: store.schedules(test.id).filter((s) => s.verdict !== null && s.origin === 'directed').length,
      confirm: options.confirm,
      seed: options.seed,
      strategy: options.strategy,
      expected,
      signal: context.signal,
      planned: (schedule, spec, origin) => {
        const seed = spec.kind === 'random' ? spec.seed : null;
        store.recordSchedulePlanned(test.id, schedule, ORIGIN[origin], seed);
      },
      assumed: context.assumptions,
      confirmed: new Set(
        store
          .bugs(test.id)
          .filter(({ report }) => report.conditional === null)
          .map((bug) => bug.fingerprint),
      ),
      found: async (finding) => {
        counters.found += 1;
        const one = await describe(context, test, subject, finding);
        kept.set(finding, { ...one, id: keep(context, test, finding, one) });
      },
      judged: (schedule, verdict, result) => {
        const { choices: _, breadth: __, ...rest } = result;
        store.atomically(() => {
          store.recordRun(test.id, { schedule: schedule.id, mode: 'warm', control: false, result: rest });
          store.setVerdict(test.id, schedule.id, verdict);
        });
        counters.tried += 1;
        context.tell('forcing', test.name);
      },
    },
  );
  // Told again with the orders that failed alike later on.
  for (const [finding, one] of kept) {
    if (context.over) break;
    keep(context, test, finding, await complete(context, test, subject, finding, one));
  }
  if (investigation.ended) context.note(test.id, { budget: investigation.ended });
  if (whole.signal.aborted) return;
  const { orders } = investigation;
  store.updateTest(test.id, {
    finished: true,
    note: investigation.ended && `budget ended (${investigation.ended.limit})`,
    ...(orders ? { orders: orders.count, allOrders: orders.all } : {}),
  });
}
