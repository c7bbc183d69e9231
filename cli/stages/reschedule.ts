/** Stage 3: forces the schedules of every test; what fails is confirmed and becomes a bug. */
import PQueue from 'p-queue';
import type { CutPoint, Schedule } from '../../data/prediction.ts';
import type { Origin as StoredOrigin, TestRecord } from '../../data/store/index.ts';
import type { Trace } from '../../data/trace.ts';
import { explain, patternOf, patternsOf } from '../../predictor/explain.ts';
import { switchesOf } from '../../predictor/switches.ts';
import { buildReport } from '../../report/json.ts';
import { fingerprintOf } from '../../rescheduler/investigate/confirm.ts';
import { type Finding, investigate, type Origin } from '../../rescheduler/investigate/investigate.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import { conditionOf } from './assumptions.ts';
import type { Context } from './context.ts';
import { bugView, recordFailing } from './evidence.ts';

export async function rescheduleStage(context: Context): Promise<void> {
  const started = performance.now();
  const { store, options } = context;
  const todo = store.testsToDo('reschedule');
  for (const test of todo) context.counters.planned += pendingOf(context, test).length;
  const queue = new PQueue({ concurrency: options.jobs });
  const force = async (test: TestRecord): Promise<void> => {
    const subject = context.subjects.get(test.id);
    if (!subject || context.over) return;
    await context.attempt(() => rescheduleTest(context, test, subject));
    await subject.close();
  };
  await Promise.all(todo.map((test) => queue.add(() => force(test))));
  store.addTiming('reschedule', performance.now() - started);
}

const ORIGIN: Readonly<Record<Origin, StoredOrigin>> = {
  directed: 'directed',
  random: 'random',
  dfs: 'enumerated',
};

const SEARCHED = { random: 'random', prefix: 'enumerated' } as const;

/** Schedules of the predictor that are still to be forced; minimal forms of found ones are for replay only. */
function pendingOf({ store }: Context, test: TestRecord): Schedule[] {
  return store
    .pendingSchedules(test.id)
    .filter(({ origin, schedule }) => origin === 'directed' && !schedule.id.endsWith(MINIMAL))
    .map(({ schedule }) => schedule);
}

async function rescheduleTest(context: Context, test: TestRecord, subject: Subject): Promise<void> {
  const { store, options, signal, counters } = context;
  const trace = store.getTrace(test.id);
  const schedules = pendingOf(context, test);
  const origin: StoredOrigin = ORIGIN[options.strategy];
  const kept = new Map<Finding, Kept>();
  if (schedules.length > 0 && !(await passesAlone(context, test, subject))) return;
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
      maxTimeMs: Math.min(options.maxTimeMs, context.left),
      used: store.schedules(test.id).filter((s) => s.verdict !== null && s.origin === 'directed').length,
      confirm: options.confirm,
      seed: options.seed,
      strategy: options.strategy,
      signal,
      planned: (schedule, spec) => {
        const from = spec.kind === 'random' || spec.kind === 'prefix' ? SEARCHED[spec.kind] : origin;
        store.recordSchedulePlanned(test.id, schedule, from, spec.kind === 'random' ? spec.seed : null);
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
        kept.set(finding, one);
        keep(context, test, finding, one);
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
  // Told again with the triples that failed alike later on.
  for (const [finding, one] of kept) if (finding.variants.length > 0) keep(context, test, finding, one);
  if (investigation.ended) context.note(test.id, { budget: investigation.ended });
  if (signal.aborted) return;
  const { orders } = investigation;
  store.updateTest(test.id, {
    finished: true,
    ...(orders ? { orders: orders.count, allOrders: orders.all } : {}),
  });
}

/** A test that leans on what others did before it cannot be forced by itself, which is said and not hidden. */
async function passesAlone(context: Context, test: TestRecord, subject: Subject): Promise<boolean> {
  if (subject.kind !== 'node-test') return true;
  const { outcome, failure } = await subject.execute({ kind: 'observed' }, context.execution);
  if (outcome === 'pass') return true;
  const why = `fails when it runs without the other tests${failure ? `: ${failure.name}: ${failure.message.split('\n')[0]}` : ''}`;
  context.store.updateTest(test.id, { baseline: 'flaky', note: why, finished: true });
  context.note(test.id, { reason: why });
  return false;
}

/** What is known of a finding at the moment when it was confirmed. */
interface Kept {
  readonly minimal: Schedule;
  readonly natural: Trace;
  readonly failing: Trace | null;
  readonly points: readonly CutPoint[];
}

async function describe(
  context: Context,
  test: TestRecord,
  subject: Subject,
  finding: Finding,
): Promise<Kept> {
  const { store } = context;
  const natural = store.getTrace(test.id);
  if (!natural) throw new Error(`no trace of ${test.id}`);
  const minimal = minimalSchedule(finding);
  const failing = await recordFailing(context, subject, minimal, finding.cutPoint, finding.assumed);
  return {
    minimal,
    natural,
    failing,
    points: pointsOf(finding, store.getCutPoints(test.id), natural, failing),
  };
}

/** Stores a finding as a bug, together with the order that replays it in its minimal form. */
function keep({ store, views, options }: Context, test: TestRecord, finding: Finding, kept: Kept): void {
  const { minimal, natural, failing } = kept;
  const points = [...new Map([...kept.points, ...finding.variants].map((c) => [c.id, c])).values()];
  const shown = points.slice(0, MAX_VARIANTS);
  const point = shown[0] ?? null;
  const rows = (point ? shown : [null]).map((cutPoint) =>
    reportable(test.id, finding, cutPoint, conditionOf(finding, options)),
  );
  const report = buildReport({ tests: [], findings: rows, timing: NO_TIMING }).bugs[0];
  if (!report) return;
  const known = store.getBug(report.id);
  const first = known && !views.has(report.id) ? known.report : report;
  const fingerprint = fingerprintOf(finding.result);
  if (first === report)
    store.atomically(() => {
      if (minimal.id !== finding.schedule.id) store.putSchedules(test.id, [minimal], ORIGIN[finding.origin]);
      store.putBug({ fingerprint, schedule: minimal.id, report });
    });
  views.set(first.id, bugView(test, first, point, natural, failing, finding.result, finding.origin));
}

/** Moves of a predicted order, as a rule. */
const TYPICAL_MOVES = 6;
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
  const best = (points: Iterable<CutPoint>): CutPoint[] => [...points].sort((a, b) => b.rank - a.rank);
  const points = new Map(cutPoint ? [[cutPoint.id, cutPoint]] : []);
  if (failing) {
    const shown = patternsOf(failing);
    const usual = patternsOf(natural);
    for (const c of predicted) if (shown.has(patternOf(c)) && !usual.has(patternOf(c))) points.set(c.id, c);
    const cost = { clock: result.requiredStallMs, moves: TYPICAL_MOVES };
    const found = cutPoint === null ? explain(failing, natural, cost) : null;
    if (found) points.set(found.id, found);
  }
  // How many variants are known depends on how far the test has come: they never lead.
  const others = variants.filter((c) => !points.has(c.id));
  return [...best(points.values()), ...best(others)].slice(0, MAX_VARIANTS);
}

const NO_TIMING = { monitorMs: 0, predictMs: 0, rescheduleMs: 0 };

const MINIMAL = '-minimal';

function minimalSchedule({ schedule, steps }: Finding): Schedule {
  if (steps === schedule.steps) return schedule;
  return { ...schedule, id: schedule.id + MINIMAL, cutPoint: null, steps };
}

function reportable(test: string, finding: Finding, cutPoint: CutPoint | null, conditional: string | null) {
  const { confirmation, result } = finding;
  const { reproduced, control, times } = confirmation;
  const failure = result.failure;
  if (!failure) throw new Error('a finding without a failure');
  return {
    test,
    cutPoint,
    failure,
    conditional,
    waits: result.waits,
    reproduced: { ok: reproduced, of: times },
    control: { ok: control, of: times },
    witness: null,
    requiredStallMs: result.requiredStallMs,
    requiredPauseMs: result.requiredPauseMs,
    switches: switchesOf(result.steps),
    schedulesUntilFound: finding.schedulesUntilFound,
  };
}
