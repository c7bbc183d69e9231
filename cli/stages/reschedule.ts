/** Stage 3: forces the schedules of every test; what fails is confirmed and becomes a bug. */
import PQueue from 'p-queue';
import type { CutPoint, Schedule } from '../../data/prediction.ts';
import type { Origin as StoredOrigin, TestRecord } from '../../data/store/index.ts';
import type { Trace } from '../../data/trace.ts';
import { explain, patternOf, patternsOf } from '../../predictor/explain.ts';
import { switchesOf } from '../../predictor/switches.ts';
import { buildReport } from '../../report/json.ts';
import { type Finding, investigate, type Origin } from '../../rescheduler/investigate/investigate.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import type { Context } from './context.ts';
import { bugView, recordFailing } from './evidence.ts';

export async function rescheduleStage(context: Context): Promise<void> {
  const started = performance.now();
  const { store, options } = context;
  const todo = store.testsToDo('reschedule');
  for (const test of todo) context.counters.planned += store.pendingSchedules(test.id).length;
  const queue = new PQueue({ concurrency: options.jobs });
  await Promise.all(
    todo.map((test) =>
      queue.add(async () => {
        const subject = context.subjects.get(test.id);
        if (!subject || context.over) return;
        await rescheduleTest(context, test, subject);
        await subject.close();
      }),
    ),
  );
  store.addTiming('reschedule', performance.now() - started);
}

const ORIGIN: Readonly<Record<Origin, StoredOrigin>> = {
  directed: 'directed',
  random: 'random',
  dfs: 'enumerated',
};

async function rescheduleTest(context: Context, test: TestRecord, subject: Subject): Promise<void> {
  const { store, options, signal, counters } = context;
  const trace = store.getTrace(test.id);
  const pending = store.pendingSchedules(test.id).filter((s) => s.origin === 'directed');
  const origin: StoredOrigin = ORIGIN[options.strategy];
  let found = 0;
  const investigation = await investigate(
    {
      execute: (spec) => subject.execute(spec, { ...context.execution, wantChoices: spec.kind === 'prefix' }),
      executeFresh: (spec) => subject.executeFresh(spec, context.execution),
    },
    trace?.steps ?? [],
    { cutPoints: store.getCutPoints(test.id), schedules: pending.map((p) => p.schedule) },
    {
      maxSchedules: options.maxSchedules,
      maxTimeMs: Math.min(options.maxTimeMs, context.left),
      confirm: options.confirm,
      seed: options.seed,
      strategy: options.strategy,
      signal,
      planned: (schedule, spec) => {
        const from = spec.kind === 'random' ? 'random' : origin;
        store.recordSchedulePlanned(test.id, schedule, from, spec.kind === 'random' ? spec.seed : null);
      },
      judged: (schedule, verdict, result) => {
        const { choices: _, ...kept } = result;
        store.recordRun(test.id, { schedule: schedule.id, mode: 'warm', control: false, result: kept });
        store.setVerdict(test.id, schedule.id, verdict);
        counters.tried += 1;
        counters.found += verdict === 'confirmed' || verdict === 'deadlock' ? (found++ === 0 ? 1 : 0) : 0;
        context.tell('forcing', test.name);
      },
    },
  );
  for (const finding of investigation.findings) await keep(context, test, subject, finding);
  if (investigation.ended) context.note(test.id, { budget: investigation.ended });
  if (!signal.aborted) store.updateTest(test.id, { finished: true });
}

/** Stores a finding as a bug, together with the order that replays it in its minimal form. */
async function keep(context: Context, test: TestRecord, subject: Subject, finding: Finding): Promise<void> {
  const { store } = context;
  const natural = store.getTrace(test.id);
  if (!natural) return;
  const minimal = minimalSchedule(finding);
  const failing = await recordFailing(context, subject, minimal, finding.cutPoint);
  const points = pointsOf(finding, store.getCutPoints(test.id), natural, failing);
  const point = points[0] ?? null;
  const rows = (points.length > 0 ? points : [null]).map((cutPoint) =>
    reportable(test.id, finding, cutPoint),
  );
  const report = buildReport({ tests: [], findings: rows, timing: NO_TIMING }).bugs[0];
  if (!report) return;
  if (minimal.id !== finding.schedule.id) store.putSchedules(test.id, [minimal], ORIGIN[finding.origin]);
  const fingerprint = finding.result.failure?.fingerprint ?? finding.result.outcome;
  store.putBug({ fingerprint, schedule: minimal.id, report });
  context.views.set(
    report.id,
    bugView(test, report, point, natural, failing, finding.result, finding.origin),
  );
}

/** Other triples of one defect that the report lists. */
const MAX_VARIANTS = 10;

/**
 * The triples that tell the defect, best ranked first: the one that was forced, those whose orders failed
 * alike, and all predicted ones that the failing run shows and the passing one does not. A failure that no
 * prediction led to is explained from its own run.
 */
function pointsOf(
  { cutPoint, variants, result }: Finding,
  predicted: readonly CutPoint[],
  natural: Trace,
  failing: Trace | null,
): CutPoint[] {
  if (result.outcome === 'deadlock') return [];
  const points = new Map([cutPoint, ...variants].flatMap((c) => (c ? [[c.id, c] as const] : [])));
  if (failing) {
    const shown = patternsOf(failing);
    const usual = patternsOf(natural);
    for (const c of predicted) if (shown.has(patternOf(c)) && !usual.has(patternOf(c))) points.set(c.id, c);
    const found = cutPoint === null ? explain(failing, natural) : null;
    if (found) points.set(found.id, found);
  }
  return [...points.values()].sort((a, b) => b.rank - a.rank).slice(0, MAX_VARIANTS);
}

const NO_TIMING = { monitorMs: 0, predictMs: 0, rescheduleMs: 0 };

function minimalSchedule({ schedule, steps }: Finding): Schedule {
  if (steps === schedule.steps) return schedule;
  return { ...schedule, id: `${schedule.id}-minimal`, cutPoint: null, steps };
}

function reportable(test: string, finding: Finding, cutPoint: CutPoint | null) {
  const { confirmation, result } = finding;
  const { reproduced, control, times } = confirmation;
  const failure = result.failure;
  if (!failure) throw new Error('a finding without a failure');
  return {
    test,
    cutPoint,
    failure,
    conditional: null,
    waits: result.waits,
    reproduced: { ok: reproduced, of: times },
    control: { ok: control, of: times },
    witness: null,
    requiredStallMs: result.requiredStallMs,
    switches: switchesOf(result.steps),
    schedulesUntilFound: finding.schedulesUntilFound,
  };
}
