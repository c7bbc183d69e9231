/** Stage 1: every test once in observed order, with everything recorded. */
import PQueue from 'p-queue';
import type { Baseline } from '../../data/report.ts';
import type { RunResult } from '../../data/run.ts';
import type { Trace } from '../../data/trace.ts';
import { besideOf, meetsUnasked } from '../../predictor/beside.ts';
import { coverageOf } from '../../predictor/coverage.ts';
import { errorLine } from '../../report/phrase.ts';
import { NotHeld } from '../../rescheduler/held/not-held.ts';
import { isOnlyOrder } from '../../rescheduler/investigate/only-order.ts';
import { type Recording, type Subject, SubjectError } from '../../rescheduler/subjects/protocol.ts';
import { withLimits } from '../../rescheduler/subjects/with-limits.ts';
import { ASKS_ALONE, type OwnLimits, tookSteps, WITH_CHILDREN } from './as-recorded.ts';
import { forgetChanged, snapshot } from './changed.ts';
import type { StageContext } from './context.ts';
import { type Otherwise, otherwise } from './natural.ts';
import { plainly } from './plainly.ts';
import { hasLeapt, isFit, passingAsIs, passingAtPace, recordedOrNot } from './recorded-again.ts';
import { isStale, settingsOf, sourcesWith } from './sources.ts';
import { advice, strangersOf } from './strangers.ts';
import { recordThreads } from './threads/monitor.ts';

/** What is stored of a recording behind the end of the time for all may take so much of that. */
const STORING = 0.1;
/** So many tests may keep their warm processes for the stage after the next; those of more are ended. */
const KEPT_WARM = 8;

/**
 * @param isLater which tests are recorded when their turn to be forced comes; null: nothing is forced by this command
 */
export async function monitorStage(
  context: StageContext,
  isLater: ((subject: Subject) => boolean) | null = null,
): Promise<void> {
  const started = performance.now();
  const before = snapshot(context.options);
  if (context.subjects.size + context.threads.size === 0) await context.findSubjects();
  const recordings = new Map<string, Recording>();
  if (before !== null && !context.over) await forgetChanged(context, before, recordings);
  registerLoops(context);
  const isNow = (subject: Subject): boolean => !subject.isBroken && !isLater?.(subject);
  if (isLater) prepare(context, isNow);
  await recordLoops(context, recordings, isNow);
  await recordThreads(context);
  context.store.addTiming('monitor', performance.now() - started);
}

/**
 * What fails outside of its tests, for its own words: a runner with many files in one process runs all of them once more for
 * that, and once on plain Node. It comes when the tests had their share of the time; where that is over it is told without.
 */
export async function brokenStage(context: StageContext): Promise<void> {
  await recordLoops(context, new Map(), ({ isBroken = false }) => isBroken);
  const left = new Set(context.store.testsToDo('record').map(({ id }) => id));
  for (const { id, isBroken } of context.subjects.values()) {
    if (!isBroken || !left.has(id)) continue;
    context.store.updateTest(id, { baseline: 'red', note: BROKEN, finished: true });
    context.note(id, { reason: BROKEN });
  }
}

const BROKEN = 'it fails outside of its test cases';

function registerLoops({ store, options, subjects }: StageContext): void {
  for (const test of store.tests()) if (isStale(test, options)) store.removeTest(test.id);
  const known = new Set(store.tests().map((t) => t.id));
  const found = [...subjects.values()].filter(({ id }) => !known.has(id));
  store.putTests(found.map((subject) => ({ ...registration(subject), recipe: {} })));
}

function toRecord({ store, subjects }: StageContext): Subject[] {
  const ids = new Set(store.testsToDo('record').map((t) => t.id));
  return [...subjects.values()].filter(({ id }) => ids.has(id));
}

async function recordLoops(
  context: StageContext,
  recordings: ReadonlyMap<string, Recording>,
  isWanted: (subject: Subject) => boolean,
): Promise<void> {
  const { store, options } = context;
  const subjects = [...context.subjects.values()];
  const todo = toRecord(context).filter(isWanted);
  for (const { file, recordedAs } of subjects)
    if (recordedAs && hasLeapt(recordedAs)) context.leaptIn.add(file);
  await context.attempt(async () => {
    const queue = new PQueue({ concurrency: options.jobs });
    let done = subjects.length - todo.length;
    // What was recorded is stored when the time is over, but that takes time as well.
    const most = STORING * (options.totalTimeMs ?? 0);
    const record = async (subject: Subject): Promise<void> => {
      if (context.over && (!subject.recordedAs || context.left < -most)) return;
      await context.attemptInRest((rest) => recordTest(rest, subject, recordings.get(subject.id)));
      if (todo.length > KEPT_WARM || store.getTest(subject.id)?.finished) await subject.close();
      done += 1;
      context.tell('recording', subject.name, { done, of: subjects.length });
    };
    await store.inGroups(() => Promise.all(todo.map((subject) => queue.add(() => record(subject)))));
  });
}

/**
 * Where all recordings were made and passed, and no child or thread took part, nothing more is run before something is
 * forced: the processes for that start while the recordings are stored and predicted from. They load the user's files, so nothing
 * of his may run beside that.
 */
function prepare(context: StageContext, isWanted: (subject: Subject) => boolean): void {
  const todo = toRecord(context).filter(isWanted);
  const isSettled = ({ recordedAs }: Subject): boolean =>
    recordedAs?.outcome === 'pass' && Object.keys(recordedAs.ungated).length === 0;
  if (context.over || !todo.every(isSettled)) return;
  const isForced = ({ recordedAs }: Subject): boolean =>
    recordedAs != null && !isOnlyOrder(recordedAs) && strangersOf(recordedAs, context).length === 0;
  for (const subject of todo.filter(isForced).slice(0, context.options.jobs))
    subject.warmUp?.(context.execution);
}

const FORCING_IS_RECORDING =
  'each forced run would take as long: allow more by watchdogMs in the configuration';

const inSeconds = (ms: number): string => (ms / 1000).toFixed(1);

const BY_ORDER = 'it passes here, too, in another order of answers or now and then';

const registration = ({ id, file, name, kind }: Subject) => ({ id, file, name, ordinal: 0, kind });

export async function recordTest(context: StageContext, subject: Subject, known?: Recording): Promise<void> {
  const { store } = context;
  let recorded: Trace | null = null;
  const reject = (why: string, baseline: Baseline = 'red'): void => {
    // Free threads may race in these runs: such a test is judged under the token, and only its trace is wanted here.
    if (recorded?.ungated['Worker']) store.putTrace(subject.id, recorded);
    store.updateTest(subject.id, { baseline, note: why, finished: true });
    context.note(subject.id, { reason: why });
  };
  try {
    const isAmongOthers = !known && subject.recordedAs != null;
    const first = known ?? (await context.record(subject));
    const asking = await recordAsked(context, subject, first);
    if (asking && 'natural' in asking) return keepOther(context, subject, asking, ASKS_ALONE);
    const { trace, result } = asking ?? first;
    recorded = trace;
    context.recordedMs.set(subject.id, result.durationMs);
    if (subject.unseen?.length) context.note(subject.id, { unseen: subject.unseen });
    const strangers = strangersOf(result, context);
    if (strangers.length > 0) context.note(subject.id, { peers: strangers });
    if (result.outcome === 'pass' && result.overtime && !isOnlyOrder(result)) {
      context.note(subject.id, { plain: { outcome: 'pass', cause: FORCING_IS_RECORDING } });
      const [took, may] = [result.durationMs, context.execution.limits.watchdogMs].map(inSeconds);
      return reject(`recorded it takes ${took} s, and a run may take ${may} s`);
    }
    if (result.outcome !== 'pass') {
      if (strangers.length === 0) {
        const { plain } = await plainly(context, subject, result);
        const passesPlainly = plain?.outcome === 'pass';
        const passing = passesPlainly && (await passingAsIs(context, subject, result, isAmongOthers));
        if (passing === 'by chance')
          return reject(`${describe(result)}; it passed when it was run again`, 'flaky');
        if (passing) return keepPassing(context, subject, passing.recording, [], passing.how);
        const other = await otherwise(context, subject, { trace, result }, tookSteps(trace));
        const paced =
          !other && passesPlainly && (await passingAtPace(context, subject, result, isAmongOthers));
        if (paced) return keepPassing(context, subject, paced.recording, [], paced.how);
        context.note(subject.id, { plain: other && plain ? { ...plain, cause: BY_ORDER } : plain });
        if (other) return keepOther(context, subject, other);
      }
      const under = context.assumptions.io ? 'where calls named by --assume-io take time: ' : '';
      return reject([under + describe(result), ...strangers.map(advice)].join('; '));
    }
    keepPassing(context, subject, { trace, result }, strangers, asking ? ASKS_ALONE : {});
  } catch (error) {
    if (!(error instanceof SubjectError)) throw error;
    // It is ours that the test does not come there: of what it does one behind the other not everything can be left out.
    if (error instanceof NotHeld) {
      const note = error.message;
      store.updateTest(subject.id, { baseline: 'passed', coverage: 'no-concurrency', note, finished: true });
      return context.note(subject.id, { reason: note });
    }
    context.note(subject.id, await plainly(context, subject, null));
    reject(error.message);
  }
}

/** `strangers`: servers in other processes, not allowed, that it talks to; `how`: limits of its own that it runs within. */
function keepPassing(
  context: StageContext,
  subject: Subject,
  { result, trace }: Recording,
  strangers: readonly string[],
  how: OwnLimits,
): void {
  const { store } = context;
  const own = { ...how, ...(tookSteps(trace) && WITH_CHILDREN) };
  const { coverage, tasks, reason } = coverageOf(trace);
  const { late, io } = context.assumptions;
  const isOnly = isOnlyOrder(result) && !late && !io;
  const finished = coverage !== 'analysed' || isOnly || strangers.length > 0;
  const note =
    strangers.length > 0 ? `recorded once and not forced: ${strangers.map(advice).join('; ')}` : reason;
  store.atomically(() => {
    store.putTrace(subject.id, trace);
    const recipe = { ...recipeOf(context, subject, trace), ...own };
    store.putTest({ ...registration(subject), recipe });
    const orders = isOnly ? { orders: 1, allOrders: true } : {};
    store.updateTest(subject.id, {
      baseline: 'passed',
      coverage,
      tasks,
      note,
      finished,
      beside: besideOf(trace),
      ...orders,
    });
  });
}

/**
 * The recording once more, with children that ask from their beginning, where one of them and the test, or another child, may meet
 * unasked. Where that fails, the test has two orders, as where its natural one does. null: there is no need, or no order that passes.
 */
async function recordAsked(
  context: StageContext,
  subject: Subject,
  { trace, result }: Recording,
): Promise<Recording | Otherwise | null> {
  if (result.outcome !== 'pass' || strangersOf(result, context).length > 0 || !meetsUnasked(trace))
    return null;
  const asking = withLimits(subject, ASKS_ALONE);
  const asked = await recordedOrNot(context, asking);
  if (asked && isFit(asked.result) && strangersOf(asked.result, context).length === 0) {
    if (asked.result.outcome === 'pass') return asked;
    const other = await otherwise(context, asking, asked, true);
    if (other) return other;
    context.note(subject.id, { asked: describe(asked.result) });
  }
  // What runs warm has to be like the last recording.
  await context.record(subject);
  return null;
}

/** What is kept of a test whose natural order fails and another one passes. */
function keepOther(
  context: StageContext,
  subject: Subject,
  { natural, recording }: Otherwise,
  how: OwnLimits = {},
): void {
  const { store } = context;
  const { trace } = recording;
  const { coverage, tasks } = coverageOf(trace);
  store.atomically(() => {
    store.putTrace(subject.id, trace);
    store.putTest({
      ...registration(subject),
      recipe: { ...recipeOf(context, subject, trace), ...how, natural },
    });
    // Where nothing is to be predicted from it there are two orders all the same.
    const predicted = coverage === 'analysed' ? {} : { predicted: true };
    const beside = besideOf(trace);
    store.updateTest(subject.id, { baseline: 'passed', coverage, tasks, beside, ...predicted });
  });
}

const recipeOf = ({ options }: StageContext, subject: Subject, trace: Trace) => ({
  ...sourcesOf(subject, trace, options.cwd),
  settings: settingsOf(options),
  source: subject.source,
  ...(trace.around && trace.around.ports.length > 0 ? { ports: trace.around.ports } : {}),
  ...(subject.source === null && subject.started ? { started: subject.started } : {}),
});

/** What its record is about. Threads load by themselves, and nobody notes what. */
function sourcesOf({ loaded }: Subject, trace: Trace, cwd: string) {
  const isWhole = loaded != null && !trace.ungated['Worker'];
  return { sources: sourcesWith(trace, loaded ?? [], cwd), isWhole };
}

function describe(result: RunResult): string {
  const { failure, outcome } = result;
  return failure ? errorLine(failure) : outcome;
}
