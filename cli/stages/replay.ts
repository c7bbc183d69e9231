/** `unweave replay`: is the bug (or the order) still there? */
import type { CutPoint } from '../../data/prediction.ts';
import type { ReportBug } from '../../data/report.ts';
import type { Assumptions, RunResult, StrategySpec } from '../../data/run.ts';
import type { Store, StoredSchedule, TestRecord } from '../../data/store/index.ts';
import type { Trace } from '../../data/trace.ts';
import { errorLine } from '../../report/phrase.ts';
import { plainLine } from '../../report/plain.ts';
import type { ReplayOutcome, ReplayRun, ReplayView } from '../../report/replay.ts';
import { traceRows } from '../../report/trace-table.ts';
import { likeIn } from '../../rescheduler/explain/closer.ts';
import { witnessOf } from '../../rescheduler/explain/witness.ts';
import { withEndless } from '../../rescheduler/investigate/endless.ts';
import { isServed } from '../../rescheduler/runners/warm-start.ts';
import type { ExecuteOptions, Subject } from '../../rescheduler/subjects/protocol.ts';
import { UsageError } from '../errors.ts';
import { asRecorded } from './as-recorded.ts';
import { assumedBy } from './assumptions.ts';
import { asTold } from './closer.ts';
import type { StageContext } from './context.ts';
import { bugView, explanationOf, recordFailing } from './evidence.ts';
import { naturalFailureOf } from './natural-failure.ts';
import { editedSources } from './sources.ts';
import { stopsOf, type ToldStop } from './stops.ts';
import { replayThreads } from './threads/replay.ts';

export async function replayStage(context: StageContext, id: string): Promise<ReplayView> {
  const { options, store } = context;
  const { test, stored, cutPoint } = locate(context, id);
  if (store.getThreadTrace(test.id)) return replayThreads(context, id, test, stored);
  const { schedule } = stored;
  const found = await context.findSubject(test);
  if (!found) throw new UsageError(`${id}: its test ${test.file} › ${test.name} is not there any more`);
  const subject = asRecorded(found, test);
  // Calls that overlap are compared with the same calls one behind the other.
  subject.observeSerially?.();
  const runs: ReplayRun[] = [];
  let last: RunResult | null = null;
  const bug = store.getBug(id);
  // Its options are those of the recording by now.
  const assumed = bug ? assumedBy(bug.report, context.options) : context.assumptions;
  const natural = store.getTrace(test.id);
  const order = { kind: 'directed', schedule, cutPoint } as const;
  const stopped = options.break
    ? await stoppable(context, test, subject, order, bug?.report ?? null, assumed)
    : null;
  const told = stopped?.told ?? null;
  const stops = options.break ? stopsIn(id, told, bug?.report ?? null, subject.kind) : null;
  if (stops && !options.quiet)
    for (const stop of stops)
      process.stderr.write(`unweave: the debugger stops where ${plainLine(stop.told)}\n`);
  const execution = options.inspectBrk ? debugged(context.under(assumed), stops) : context.under(assumed);
  const by = stopped ?? { runs: subject, spec: order };
  for (let i = 0; i < options.times && !context.over; i++) {
    last = withEndless(await by.runs.executeFresh(by.spec, execution));
    runs.push(replayRunOf(last));
  }
  const trace = options.trace
    ? await context.record(subject, order, assumed).then(
        ({ trace: told, result }) => ({ outcome: result.outcome, rows: traceRows(told) }),
        () => null,
      )
    : undefined;
  const edited = editedSources(test, options.cwd);
  const naturally = edited.length > 0 && last?.failure ? await failsNaturally(context, test, subject) : null;
  const shown = {
    ...(trace === undefined ? {} : { trace }),
    ...(edited.length > 0 ? { edited } : {}),
    ...(naturally === null ? {} : { naturally }),
  };
  if (!last || !natural || (!bug && options.witness === 0))
    return { id, runs, witness: null, bug: null, ...shown };
  const failing = options.inspectBrk
    ? told
    : await recordFailing(context, subject, schedule, cutPoint, assumed);
  const hasFailed = last.outcome === 'fail' || last.outcome === 'deadlock';
  const witness = hasFailed
    ? await witnessOf(subject, failing, last, assumed, context.plainRuns(assumed))
    : null;
  if (!bug) return { id, runs, witness, bug: null, ...shown };
  const orders = await asTold(context, test, subject, { natural, failing }, bug.report, assumed);
  const point = explanationOf(bug.report, store.getCutPoints(test.id), orders.natural, orders.failing);
  const view = bugView(test, bug.report, point, orders.natural, orders.failing, last, 'directed');
  return { id, runs, witness, bug: view, ...shown };
}

/** The error of a test that was changed and fails without its order as well; null: it passes, or has failed so before. */
async function failsNaturally(
  context: StageContext,
  test: TestRecord,
  subject: Subject,
): Promise<string | null> {
  if (context.over || context.options.inspectBrk || naturalFailureOf(test)) return null;
  const { failure } = await subject.executeFresh({ kind: 'observed' }, context.under(context.assumptions));
  return failure && errorLine(failure);
}

/** An order that a debugger is to stop in. */
interface Stoppable {
  readonly runs: Subject;
  readonly spec: StrategySpec;
  /** As it was recorded; null: it does not fail any more. */
  readonly told: Trace | null;
}

/** The places to stop at are in what was looked into when the bug was told. */
async function stoppable(
  context: StageContext,
  test: TestRecord,
  subject: Subject,
  order: Extract<StrategySpec, { kind: 'directed' }>,
  bug: ReportBug | null,
  assumed: Assumptions,
): Promise<Stoppable> {
  const natural = context.store.getTrace(test.id);
  const failing = await recordFailing(context, subject, order.schedule, order.cutPoint, assumed);
  const own = { runs: subject, spec: order, told: failing };
  if (!failing || !natural || !bug || bug.lookedInto.length === 0) return own;
  const { failing: told } = await asTold(context, test, subject, { natural, failing }, bug, assumed);
  const closer = told === failing ? undefined : subject.lookInto?.(bug.lookedInto);
  const spec = likeIn(failing);
  return closer && spec ? { runs: closer, spec, told } : own;
}

/** A person steps through it: processes wait for the debugger, nobody watches the clock. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;

function debugged(execution: ExecuteOptions, stops: readonly ToldStop[] | null): ExecuteOptions {
  const option = stops ? '--inspect-wait' : '--inspect-brk';
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} ${option}`.trim();
  const limits = { ...execution.limits, watchdogMs: PATIENCE_MS };
  return {
    ...execution,
    verbose: true,
    inspect: option,
    limits,
    ...(stops && { stops: stops.map(({ point }) => point) }),
  };
}

/** Runners that run a test in a process of their own making are not followed there. */
const isElsewhere = (kind: Subject['kind']): boolean =>
  kind !== 'harness' && kind !== 'script' && isServed(kind);

function stopsIn(
  id: string,
  failing: Trace | null,
  bug: ReportBug | null,
  kind: Subject['kind'],
): readonly ToldStop[] {
  if (isElsewhere(kind))
    throw new UsageError(`${id}: --break is not there for tests of ${kind}; use --inspect-brk alone`);
  const stops = failing && bug ? stopsOf(failing, bug) : [];
  if (stops.length > 0) return stops;
  const why = !bug
    ? 'it is a schedule, which no accesses explain'
    : !failing
      ? 'its order does not fail any more'
      : 'no accesses explain it';
  throw new UsageError(`${id}: there is no place to stop at: ${why}; use --inspect-brk alone`);
}

function locate(
  context: StageContext,
  id: string,
): { test: TestRecord; stored: StoredSchedule; cutPoint: CutPoint | null } {
  const { store } = context;
  const bug = store.getBug(id);
  const found = bug?.schedule
    ? store.schedules(bug.report.test).find((s) => s.schedule.id === bug.schedule)
    : (store.findSchedules(id)[0] ?? reaching(store, id));
  const test = found && store.getTest(found.test);
  if (!found || !test)
    throw new UsageError(
      `${id}: neither a bug nor a schedule of ${store.path}, nor a cut point that one of these reaches`,
    );
  const cutPoint = store.getCutPoints(test.id).find((c) => c.id === found.schedule.cutPoint) ?? null;
  return { test, stored: found, cutPoint };
}

/** The schedule that leads to a cut point, by whose name `inspect` lists it. */
const reaching = (store: Store, cutPoint: string): StoredSchedule | undefined =>
  store
    .tests()
    .flatMap(({ id }) => store.schedules(id))
    .find(({ schedule }) => schedule.cutPoint === cutPoint);

/** How a run of an order ended. */
export const replayRunOf = (result: RunResult): ReplayRun => ({
  outcome: outcomeOf(result),
  detail: detailOf(result),
  followed: result.followed === 'followed',
});

function outcomeOf(result: RunResult): ReplayOutcome {
  if (result.outcome === 'fail') return 'failed';
  if (result.outcome === 'deadlock') return 'deadlock';
  if (result.outcome === 'unknown') return 'unknown';
  if (result.followed === 'infeasible' || result.followed === 'diverged') return result.followed;
  return 'passed';
}

function detailOf(result: RunResult): string | null {
  if (result.failure) return errorLine(result.failure);
  if (!result.divergence) return null;
  return `step ${result.divergence.at + 1} wanted ${result.divergence.wanted}, got ${result.divergence.instead}`;
}
