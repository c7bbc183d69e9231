/** Stage 4: what the store says, and why silent tests are silent. */

import { DEEP_BUDGET } from '../../data/config.ts';
import { countingLists } from '../../data/fail-on.ts';
import type { ReportTest } from '../../data/report.ts';
import { MINIMAL, type TestRecord } from '../../data/store/index.ts';
import { notControlled } from '../../data/ungated.ts';
import { predict } from '../../predictor/predict.ts';
import { byWeight } from '../../report/likelihood.ts';
import { errorLine } from '../../report/phrase.ts';
import { rowsOfSteps } from '../../report/rows.ts';
import { forcedRuns } from '../../report/test-state.ts';
import type { ReportViews, TestNotes } from '../../report/view.ts';
import { DIRECTED } from '../../rescheduler/strategies/list.ts';
import type { SubjectSource } from '../../rescheduler/subjects/source.ts';
import { exitCodeOf } from '../exit-code.ts';
import type { PipelineResult } from '../pipeline-api.ts';
import { asRecorded, isAtRealPace, isSlow } from './as-recorded.ts';
import { assumedBy } from './assumptions.ts';
import { changeLines } from './changes.ts';
import { asTold } from './closer.ts';
import { type StageContext, toCommand, typedCommand } from './context.ts';
import { bugView, explanationOf, recordFailing } from './evidence.ts';
import { naturalFailureOf } from './natural-failure.ts';
import { loopOf } from './predict.ts';
import { recordedSource } from './sources.ts';
import { isStoodFor } from './stand-ins.ts';
import { suiteOf } from './suite.ts';
import { threadTrace } from './threads/predict.ts';
import { shownAgain } from './threads/replay.ts';

/** Behind the id of a test case in that of its threads. */
const THREADS = ' (threads)';

export async function reportStage(context: StageContext): Promise<PipelineResult> {
  const { store } = context;
  const isOurs = (test: string): boolean => context.shard?.has(test) !== false;
  const stored = store.report();
  for (const test of store.tests()) if (isOurs(test.id)) describeTest(context, test);
  const report = {
    ...stored,
    tests: stored.tests
      .filter(({ id }) => isOurs(id))
      .map((test) => noted(test, context.notes.get(test.id) ?? {}))
      .map((test, _, all) => ({
        ...test,
        partOf: all.find(({ id }) => id + THREADS === test.id)?.id ?? null,
      })),
    bugs: stored.bugs.filter(({ test }) => isOurs(test)).toSorted(byWeight),
  };
  for (const bug of report.bugs) if (!context.views.has(bug.id)) await recover(context, bug.id);
  const views: ReportViews = {
    bugs: report.bugs.flatMap((b) => context.views.get(b.id) ?? []),
    tests: Object.fromEntries([...context.notes].filter(([id]) => isOurs(id))),
    ...remarkOn(process.versions.node),
    ...(context.options.reporters.some(({ name }) => name === 'html')
      ? { suite: suiteOf(context, isOurs) }
      : {}),
    ...deeperOf(context),
    ...(context.ended ? { ended: context.ended } : {}),
    ...(context.changes ? { notices: changeLines(context.changes, report) } : {}),
  };
  return {
    report,
    views,
    exitCode: exitCodeOf(report, {
      counting: countingLists(context.options.failOn),
      ended: context.ended !== null,
    }),
  };
}

/** How what was left is searched as well; nothing where that was wanted already. */
function deeperOf({ options, store }: StageContext): Pick<ReportViews, 'deeper'> {
  const { isDeep, said, strategy, target } = options;
  const command = target ? toCommand(target) : store.meta.command;
  if (isDeep || strategy !== DIRECTED || !command) return {};
  return {
    deeper: { command: typedCommand(command, ['--deep', ...said]), orders: DEEP_BUDGET.maxSchedules },
  };
}

/** The record of a test with what this command learned beside the store. */
function noted(test: ReportTest, notes: TestNotes): ReportTest {
  const { natural, ownProcesses, plain, peers, undecided, unseen } = notes;
  return {
    ...test,
    ...(plain ? { plain } : {}),
    natural: natural?.plain ? { error: natural.error, plain: natural.plain } : null,
    peers: [...(peers ?? [])],
    unseen: [...(unseen ?? [])],
    ownProcesses: ownProcesses ?? null,
    undecided: undecided ?? null,
    // Nothing of it was judged but its natural order.
    ...(peers && peers.length > 0 && forcedRuns(test) === 0 ? { analysis: 'none' as const } : {}),
  };
}

function describeTest(context: StageContext, test: TestRecord): void {
  const { store } = context;
  const source = recordedSource(test);
  const kept = source && specOf(source);
  const spec = kept ?? context.overlapping(test.id)?.overlaps?.spec;
  if (spec !== undefined) context.note(test.id, { spec: `${test.file}: ${spec}` });
  const unknown = whyUnknown(context, test);
  if (unknown !== null) context.note(test.id, { unknown });
  if (test.note !== null && !context.notes.get(test.id)?.reason) context.note(test.id, { reason: test.note });
  if (isStoodFor(store, test)) context.note(test.id, { stoodFor: 1 });
  if (isSlow(test)) context.note(test.id, { slow: 1 });
  if (isAtRealPace(test)) context.note(test.id, { atRealPace: 1 });
  const natural = test.baseline === 'passed' && naturalFailureOf(test);
  if (natural) {
    const { ok, of } = natural.plain;
    const plain = natural.isSerial ? null : `${ok}/${of}`;
    context.note(test.id, { natural: { error: natural.error, plain } });
  }
  const trace = store.getTrace(test.id);
  if (!trace) return;
  const ungated = notControlled(trace.ungated);
  if (Object.keys(ungated).length > 0) context.note(test.id, { ungated });
  if (trace.saturated.length > 0) context.note(test.id, { saturated: trace.saturated.length });
  if (test.coverage !== 'analysed' || store.bugs(test.id).length > 0) return;
  // Of tests with one order, which nobody predicts from, it is told where somebody aims at one.
  if (!test.predicted && test.kind !== 'harness') return;
  // Of a test that an earlier command predicted: prediction is a pure function of the trace.
  const isOver = () => context.ended !== null;
  const stats =
    context.predictions.get(test.id) ?? predict(trace, { ...loopOf(context.options), isOver }).stats;
  const reasons = Object.entries(stats.reasons)
    .map(([reason, count]) => ({ reason, count }))
    .sort((a, b) => b.count - a.count);
  context.note(test.id, {
    silence: { pairs: stats.pairs, left: stats.left, isPairsCut: stats.isPairsCut, reasons },
  });
}

/** That of which a source is a scenario. */
function specOf(source: SubjectSource): string | undefined {
  switch (source.kind) {
    case 'scenario':
      return source.spec;
    case 'threads':
      return source.scenario?.spec;
    case 'overlap':
      return source.plan.kind;
    default:
      return undefined;
  }
}

/** What the first forced run without a verdict said; null: there is none. */
function whyUnknown({ store }: StageContext, test: TestRecord): string | null {
  const one = store.schedules(test.id).find(({ verdict }) => verdict === 'unknown');
  const result = one && store.runs(test.id, one.schedule.id).at(-1)?.result;
  if (!result) return null;
  const said = result.failure ? errorLine(result.failure) : 'no word of its end';
  if (result.outcome !== 'unknown') return `failed once, and not alike in fresh processes: ${said}`;
  const apis = Object.keys(notControlled(result.ungated));
  return apis.length === 0 ? said : `${said}; not controlled: ${apis.join(', ')}`;
}

/** Of an order whose accesses are not known. */
const MOST_STEPS = 160;

/** A bug of an earlier command on this store: its failing order is recorded once more to be shown. */
async function recover(context: StageContext, id: string): Promise<void> {
  const { store } = context;
  const bug = store.getBug(id);
  const test = bug && store.getTest(bug.report.test);
  const stored = bug?.schedule
    ? store.schedules(bug.report.test).find((s) => s.schedule.id === bug.schedule)
    : null;
  const threads = test && threadTrace(store, test.id);
  const subjectOfThreads = test && context.threads.get(test.id);
  if (bug && test && stored && threads && subjectOfThreads) {
    const view = await shownAgain(context, test, threads, subjectOfThreads, stored, bug.report);
    context.views.set(id, view);
    return;
  }
  const natural = test && store.getTrace(test.id);
  if (!bug || !test || !stored || !natural) return;
  const found = context.subjects.get(test.id);
  const subject = found && asRecorded(found, test);
  const predicted = store.getCutPoints(test.id);
  const cutPoint = predicted.find((c) => c.id === stored.schedule.cutPoint) ?? null;
  const assumed = assumedBy(bug.report, context.options);
  const failing = subject ? await recordFailing(context, subject, stored.schedule, cutPoint, assumed) : null;
  // A minimal form is kept for its replay; what was run and judged is the order that it was made of.
  const { id: shown } = stored.schedule;
  const judged = shown.endsWith(MINIMAL) ? shown.slice(0, -MINIMAL.length) : shown;
  const run = store.runs(test.id, judged).at(-1);
  if (!run) return;
  const orders = subject
    ? await asTold(context, test, subject, { natural, failing }, bug.report, assumed)
    : { natural, failing };
  const point = explanationOf(bug.report, predicted, orders.natural, orders.failing);
  const view = bugView(test, bug.report, point, orders.natural, orders.failing, run.result, stored.origin);
  // Where nothing is run, the steps that the judged run took are what is known of its order.
  const steps = failing ? view.failing : rowsOfSteps(natural, run.result.steps).slice(0, MOST_STEPS);
  context.views.set(id, { ...view, failing: steps });
}

/** What is different on a Node that the file operations were not read from. */
export function remarkOn(version: string): { remark?: string } {
  if (version.startsWith('24.')) return {};
  return {
    remark: `on Node ${version} copying or reading a tree of directories is one step: orders inside of it are tried on Node 24 only`,
  };
}
