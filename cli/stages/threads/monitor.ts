/** Stage 1 for tests of threads: the observed order recorded once, then repeated until it is trusted. */

import type { TestRecord } from '../../../data/store/index.ts';
import { sharedEntities } from '../../../data/threads/shared.ts';
import { isAccess, type ThreadTrace } from '../../../data/threads/trace.ts';
import { count } from '../../../report/layout.ts';
import { errorLine } from '../../../report/phrase.ts';
import { SubjectError } from '../../../rescheduler/subjects/protocol.ts';
import type {
  ThreadExecuteOptions,
  ThreadedTest,
  ThreadReply,
  ThreadResult,
} from '../../../rescheduler/tokens/protocol.ts';
import type { StageContext } from '../context.ts';
import { isStale, settingsOf, sourcesOfPoints } from '../sources.ts';
import { refineThreadTransactions } from '../transactions.ts';
import { BY_NATURE, keepNatural, type NaturalFinding, naturalFinding } from './natural.ts';

export async function recordThreads(context: StageContext): Promise<void> {
  const { store, options, threads } = context;
  const tasks = new Map<string, TestRecord>();
  context.addPrograms((task, { id }) => {
    const test = store.getTest(task.id);
    if (test) tasks.set(id, test);
    return (store.getUngated(task.id)?.['Worker'] ?? 0) > 0;
  });
  for (const id of threads.keys()) {
    const test = store.getTest(id);
    if (test && isStale(test, options)) store.removeTest(id);
  }
  const register = (found: readonly ThreadedTest[]): void =>
    store.putTests(found.filter(({ id }) => !store.getTest(id)).map(registration));
  register([...threads.values()].filter(({ kind }) => kind === 'threads'));
  /** Files with a test whose threads did not come to rest: its other tests start the same ones, and are not waited for. */
  const restless = new Set<string>();
  /** Tests whose threads were looked at, or are known to share nothing. */
  const seen = new Set<string>();
  let done = 0;
  for (const subject of threads.values()) {
    if (context.over) break;
    // A program has a row for its event loop already: as long as nobody has looked at its threads that is all there is to tell.
    register([subject]);
    const test = store.getTest(subject.id)!;
    const task = tasks.get(subject.id);
    if (!test.finished && !store.getThreadTrace(subject.id)) {
      if (task && restless.has(task.file)) leaveAlone(context, subject, task);
      else await context.attemptInRest((rest) => recordOne(rest, subject, task, seen));
      if (task && context.notes.get(task.id)?.restless) restless.add(task.file);
    }
    // A process for each harness that waits for its turn would be many.
    await subject.close();
    if (task && store.getTest(subject.id)?.coverage === 'no-concurrency') seen.add(task.id);
    dropBlindTwin(context, subject, task);
    if (task && store.getTest(subject.id)) seen.add(task.id);
    done += 1;
    context.tell('recording', subject.name, { done, of: threads.size });
  }
  tellUnseen(context, seen);
}

const WORKERS = / workers?$/;

/** A test is blind for what its workers did where nobody looked at them: files, memory and messages are not seen in its event loop. */
function tellUnseen({ store }: StageContext, seen: ReadonlySet<string>): void {
  for (const { beside, id, kind } of store.tests()) {
    const workers = store.getUngated(id)?.['Worker'] ?? 0;
    if (workers === 0 || kind === 'harness') continue;
    const others = beside.filter(({ processes: [name] }) => !WORKERS.test(name ?? ''));
    const own = { processes: [count(workers, 'worker')], shared: [], blind: true, within: false };
    const told = seen.has(id) ? others : [...others, own];
    if (told.length !== beside.length) store.updateTest(id, { beside: told });
  }
}

const registration = ({ id, file, kind, name }: ThreadedTest) => ({
  ...{ id, file, name, ordinal: 0, recipe: {} },
  kind: kind === 'threads' ? ('harness' as const) : kind,
});

const NOTHING_SHARED = 'its threads have nothing in common, and its event loop awaited nothing';

/** A program is one test, unless there is something to be seen in its event loop and between its threads as well. */
function dropBlindTwin(
  { store, threads }: StageContext,
  { id, kind }: ThreadedTest,
  task?: TestRecord,
): void {
  if (kind === 'threads' || !store.getTest(id)) return;
  if (store.getTest(id)?.coverage === 'no-concurrency') {
    // Its threads were looked at, so it is not blind that its event loop had nothing to see.
    if (task && store.getTest(task.id)?.coverage === 'blind')
      store.updateTest(task.id, { coverage: 'no-concurrency', note: NOTHING_SHARED });
    store.removeTest(id);
    threads.delete(id);
  } else if (task && store.getTest(task.id)?.coverage !== 'analysed') store.removeTest(task.id);
}

/** A run whose threads take turns may take so many times as long as one in which they did not, and no less than this, ms. */
const SLOWER = 20;
const LEAST_MS = 1000;

/** How it is run for the first time. */
function patient(
  { recordedMs, threadExecution }: StageContext,
  task: TestRecord | undefined,
): ThreadExecuteOptions {
  const own = task && recordedMs.get(task.id);
  if (own === undefined) return threadExecution;
  const watchdogMs = Math.min(threadExecution.watchdogMs, Math.max(LEAST_MS, SLOWER * own));
  return { ...threadExecution, watchdogMs };
}

/** A thread that does not come to rest cannot take turns with others: that says nothing about a test that passes without. */
function leaveAlone(context: StageContext, { id }: ThreadedTest, task: TestRecord, isRestless = true): void {
  context.store.removeTest(id);
  context.threads.delete(id);
  if (isRestless) context.note(task.id, { restless: 1 });
}

/** Runs of the observed order in fresh processes, beyond the recorded one. */
const FURTHER = 2;

async function recordOne(
  context: StageContext,
  subject: ThreadedTest,
  task: TestRecord | undefined,
  seen: Set<string>,
): Promise<void> {
  const { store, options } = context;
  const reject = (baseline: 'red' | 'flaky', why: string): void => {
    store.updateTest(subject.id, { baseline, note: why, finished: true });
    context.note(subject.id, { reason: why });
  };
  try {
    const {
      hasSpun,
      isUntouched,
      ran,
      sites,
      trace: told,
    } = await recorded(context, subject, patient(context, task));
    context.note(subject.id, { ungated: ran.ungated });
    if (ran.outcome === 'unknown' && task && store.getTest(task.id)?.baseline === 'passed') {
      // It computed for longer than all of the recorded run took: there, too, its threads came to nothing that others share.
      if (isUntouched && hasSpun) seen.add(task.id);
      return leaveAlone(context, subject, task, ran.failure?.kind === 'timeout');
    }
    const passesFreely = task && store.getTest(task.id)?.baseline === 'passed';
    const natural = passesFreely
      ? await naturalFinding(context, subject, { ran, sites, trace: told, reusable: false })
      : null;
    if (natural) return await keepOther(context, subject, natural);
    if (ran.outcome !== 'pass' || !told) return reject('red', describe(ran));
    const trace = refineThreadTransactions(told, options);
    const shared = sharedEntities(trace.events).size;
    const coverage = coverageOf(trace, subject.kind !== 'threads');
    // A program without anything to force is no test of its own: see dropBlindTwin.
    // What a scenario is observed to do is a serial order, which was executed by itself.
    const isRepeated = subject.kind === 'threads' ? !subject.overlaps : coverage === 'analysed';
    const further = isRepeated ? FURTHER : 0;
    for (let i = 0; i < further && !context.over; i++) {
      const again = await subject.executeFresh({ kind: 'observed' }, context.threadExecution);
      if (again.outcome !== 'pass') return reject('flaky', describe(again));
    }
    if (context.over) return;
    const recipe = {
      sources: sourcesOfPoints(trace.names.points, sites, options.cwd),
      settings: settingsOf(options),
      source: subject.source,
    };
    store.atomically(() => {
      store.putThreadTrace(subject.id, { names: trace.names, chunks: () => [trace.events] });
      store.putTest({ ...registration(subject), recipe });
      store.updateTest(subject.id, {
        ...{ baseline: 'passed', coverage, sharedEntities: shared, tasks: trace.names.threads.length },
        note: coverage === 'blind' ? 'no access of shared memory was seen; try --instrument' : null,
        finished: coverage !== 'analysed',
      });
    });
  } catch (error) {
    if (!(error instanceof SubjectError)) throw error;
    reject('red', error.message);
  }
}

/** Its natural order fails, and another one passes: with the finding all is told of it that is known. */
async function keepOther(
  context: StageContext,
  subject: ThreadedTest,
  natural: NaturalFinding,
): Promise<void> {
  const { store, options } = context;
  const { sites } = natural.passing;
  const trace = refineThreadTransactions(natural.passing.trace, options);
  const recipe = {
    sources: sourcesOfPoints(trace.names.points, sites, options.cwd),
    settings: settingsOf(options),
    source: subject.source,
  };
  const tasks = trace.names.threads.length;
  const shared = sharedEntities(trace.events).size;
  store.atomically(() => {
    store.putThreadTrace(subject.id, { names: trace.names, chunks: () => [trace.events] });
    store.putTest({ ...registration(subject), recipe });
    store.updateTest(subject.id, {
      ...{ baseline: 'passed', coverage: 'analysed', sharedEntities: shared, tasks },
      ...{ note: BY_NATURE, predicted: true, finished: true },
    });
  });
  await keepNatural(context, store.getTest(subject.id)!, subject, natural);
}

/** The observed order with its trace; or that of a run without control, where one is wanted and passes. */
async function recorded(
  { options }: StageContext,
  subject: ThreadedTest,
  execution: ThreadExecuteOptions,
): Promise<ThreadReply> {
  if (options.freeRecording && subject.kind === 'threads') {
    const free = await subject.execute({ kind: 'free' }, execution, true);
    if (free.ran.outcome === 'pass') return free;
  }
  return subject.execute({ kind: 'observed' }, execution, true);
}

function describe({ failure, outcome, waits }: ThreadResult): string {
  const what = failure ? errorLine(failure) : outcome;
  return [what, ...waits].join('; ');
}

function coverageOf(
  { events, names }: ThreadTrace,
  isProgram: boolean,
): 'analysed' | 'no-concurrency' | 'blind' {
  if (names.threads.length < 2) return 'no-concurrency';
  // What its threads have in common may show in other orders only, and nobody sees objects of one of them.
  if (isProgram) return 'analysed';
  for (let i = 0; i < events.length; i++) if (isAccess(events.op[i]!)) return 'analysed';
  return names.locks.length > 0 ? 'analysed' : 'blind';
}
