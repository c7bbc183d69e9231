/** Stage 3: forces the schedules of every test; what fails is confirmed and becomes a bug. */
import PQueue from 'p-queue';
import type { Store, TestRecord } from '../../data/store/index.ts';
import { investigate } from '../../rescheduler/investigate/investigate.ts';
import { type Subject, SubjectError } from '../../rescheduler/subjects/protocol.ts';
import type { ThreadedTest } from '../../rescheduler/tokens/protocol.ts';
import type { StageContext } from './context.ts';
import { recordNow } from './later.ts';
import { naturalFailureOf } from './natural-failure.ts';
import { pendingOf } from './pending.ts';
import { openLoop } from './programs/event-loop.ts';
import type { InvestigatedTest } from './programs/program.ts';
import { openThreads } from './programs/threads.ts';
import { familyOf, isTold, SmallerFirst } from './scenarios.ts';
import { isTooShort, mostPromisingFirst, type Share, Shares } from './shares.ts';
import { mayBeStoodFor, pairsIn, speaksForOthers, standInsOf } from './stand-ins.ts';
import { hasHooks, isOfAll, loadedWith, Turns, turnsOf, type Uses, usesOf } from './turns.ts';

/** Opens a test for {@link rescheduleTest}, which gives it so much time; see {@link openLoop}. */
type OpenTest = (
  context: StageContext,
) => Promise<InvestigatedTest | string | null> | InvestigatedTest | null;

/** @param later tests that are recorded when their turn comes */
export async function rescheduleStage(
  context: StageContext,
  later: readonly TestRecord[] = [],
): Promise<void> {
  const started = performance.now();
  const { counters, options, store } = context;
  context.since = started;
  context.addPrograms((_, { id }) => store.getTest(id) !== null);
  const { changes, shard } = context;
  const todo = [...store.testsToDo('reschedule'), ...later].filter(
    ({ id }) => !changes?.outside.has(id) && shard?.has(id) !== false,
  );
  const isLater = new Set(later.map(({ id }) => id));
  const turns = new Turns();
  const shares = new Shares(options);
  const goOn = new Map<TestRecord, TestProgress>();
  let hasUntried = false;
  const plannedOf = (test: TestRecord) => Math.min(pendingOf(store, test).length, options.maxSchedules);
  for (const test of todo) counters.planned += plannedOf(test);
  const queue = new PQueue({ concurrency: options.jobs });
  const force = async (test: TestRecord, subject: Subject | ThreadedTest, open: OpenTest): Promise<void> => {
    if (isTold(context, test, subject) || context.over) return;
    const isWhole = 'most' in subject && subject.most !== undefined;
    const share = shares.take(test.id, context.left, isWhole);
    const started = performance.now();
    try {
      await context.attempt(async () => {
        const progress = await rescheduleTest(context, test, open, share);
        if (progress !== 'done') goOn.set(test, progress);
        if (progress === 'untried') shares.tooShort(share.ms);
      });
    } catch (error) {
      // It worked before: whatever it is, it does not happen every time, and must not cost the other tests.
      if (!(error instanceof SubjectError)) throw error;
      giveUp(context, test, error.message);
    }
    shares.used(test.id, performance.now() - started);
    const allowed = 'allowed' in subject ? subject.allowed?.() : undefined;
    if (allowed && allowed.length > 0) context.note(test.id, { allowed });
    await subject.close();
  };
  const inTurn = turnsOf(
    todo.map(({ file, id }) => ({
      ...{ id, file, uses: usedBy(store, id) },
      loadedWith: loadedWith(context.subjects.get(id)?.started?.source),
    })),
    hasHooks,
  );
  const recordAndForce = async (test: TestRecord, subject: Subject): Promise<void> => {
    if (isTold(context, test, subject) || context.over) return;
    const recorded = await recordNow(context, test, subject);
    if (!recorded) return subject.close();
    counters.planned += plannedOf(recorded);
    const { reads, writes } = usedBy(store, recorded.id);
    if (reads.size + writes.size > 0) inTurn.set(recorded.id, recorded.file);
    await alone(recorded, () => force(recorded, subject, (own) => openLoop(own, recorded, subject)));
  };
  /** Where some tests are recorded later nobody knows beforehand what these meet: no two that use what others see run then. */
  const alone = ({ id }: TestRecord, work: () => Promise<void>): Promise<unknown> =>
    later.length > 0 && inTurn.has(id) ? turns.take(OF_ALL, work) : work();
  const forceAny = async (test: TestRecord): Promise<void> => {
    const subject = context.subjects.get(test.id);
    const threads = context.threads.get(test.id);
    if (threads) await alone(test, () => force(test, threads, (own) => openThreads(own, test, threads)));
    else if (subject && isLater.has(test.id)) await recordAndForce(test, subject);
    else if (subject) await alone(test, () => force(test, subject, (own) => openLoop(own, test, subject)));
    else if (shard && !context.over)
      giveUp(context, test, 'planned, and not found when the command was run here');
  };
  const begin = (test: TestRecord) => queue.add(() => forceAny(test));
  const hadBugs = new Set(changes?.bugs.map(({ test }) => test));
  const promiseOf = (test: TestRecord): number =>
    Math.max(
      hadBugs.has(test.id) ? Number.POSITIVE_INFINITY : 0,
      ...store.getCutPoints(test.id).map(({ rank }) => rank),
    );
  const isSorted = options.totalTimeMs !== undefined || hadBugs.size > 0;
  const forceAll = async (tests: readonly TestRecord[]): Promise<void> => {
    for (let round = isSorted ? mostPromisingFirst(tests, promiseOf) : tests; round.length > 0; ) {
      goOn.clear();
      shares.begin(round.length);
      const smaller = new SmallerFirst();
      await Promise.all(
        round.map((test) => {
          const subject = context.overlapping(test.id);
          const shared = later.length > 0 ? undefined : inTurn.get(test.id);
          const group = shared ?? familyOf(subject);
          const first = smaller.before(subject);
          const start = async () => first.then(() => begin(test));
          return smaller.begun(subject, group === undefined ? start() : turns.take(group, start));
        }),
      );
      round = round.filter((test) => goOn.has(test) && shares.hasRest(test.id, context.left));
      for (const [test, progress] of goOn) {
        if (round.includes(test)) continue;
        // What was never tried is to be begun by the next command, where the time of this one is over.
        if (progress === 'untried' && isTooShort(context.left)) hasUntried = true;
        else store.updateTest(test.id, TIME_IS_OVER);
      }
    }
  };
  const standIns = standInsOf(todo, (test) =>
    mayBeStoodFor(context, test) && !hadBugs.has(test.id) ? pairsIn(store, test, options.maxStallMs) : null,
  );
  await forceAll(todo.filter(({ id }) => !standIns.has(id)));
  const isStoodFor = ({ id }: TestRecord): boolean =>
    [...(standIns.get(id) ?? [])].every((each) => speaksForOthers(store, each));
  const others = Map.groupBy(
    todo.filter(({ id }) => standIns.has(id)),
    isStoodFor,
  );
  for (const { id } of others.get(true) ?? []) store.updateTest(id, { finished: true });
  await forceAll(others.get(false) ?? []);
  // Where it ended in prediction nobody came to notice.
  const isLeft = context.left <= 0 && store.tests().some(({ finished }) => !finished);
  if (hasUntried || isLeft) context.endForLackOfTime();
  store.addTiming('reschedule', performance.now() - started);
}

const OF_ALL = 'whatever others see';
const NOTHING: Uses = { reads: new Set(), writes: new Set() };

/** What runs of a test, and what is around them, use of what others see. Of most tests their resources tell that it is nothing. */
function usedBy(store: Store, test: string): Uses {
  const ports = store.getTest(test)?.recipe['ports'];
  const around = new Set(Array.isArray(ports) ? ports.map((port) => `port ${port}`) : []);
  const trace = store.getResources(test).some(isOfAll) ? store.getTrace(test) : null;
  const { reads, writes } = trace ? usesOf(trace) : NOTHING;
  return { reads: reads.union(around), writes };
}

/** Nothing is forced in a test that does not pass every time. */
function giveUp(context: StageContext, test: TestRecord, why: string): void {
  if (context.notes.get(test.id)?.peers) {
    context.store.updateTest(test.id, { note: why, finished: true });
    return;
  }
  const baseline = naturalFailureOf(test) ? 'red' : 'flaky';
  context.store.updateTest(test.id, { baseline, note: why, finished: true });
  context.note(test.id, { reason: why });
}

/** How far a test came with its shares of the time; no order was ever judged of one that is `untried`. */
type TestProgress = 'done' | 'begun' | 'untried';
const NO_LIMIT = Number.POSITIVE_INFINITY;
const WHATEVER_IT_TAKES = { timeMs: NO_LIMIT, findings: NO_LIMIT };
const TIME_IS_OVER = { finished: true, note: 'budget ended (time)' };

async function rescheduleTest(
  whole: StageContext,
  test: TestRecord,
  open: OpenTest,
  { ms: maxTimeMs, isPart }: Share,
): Promise<TestProgress> {
  const { store, options, counters } = whole;
  const context = whole.within(maxTimeMs);
  const progress = (): TestProgress =>
    store.schedules(test.id).some(({ verdict }) => verdict !== null) ? 'begun' : 'untried';
  const program = await context.inTime(async () => open(context), null);
  if (program === null) return isPart ? progress() : 'done';
  if (typeof program === 'string') {
    giveUp(context, test, program);
    return 'done';
  }
  const { most = { ...WHATEVER_IT_TAKES, schedules: options.maxSchedules } } = program;
  const { bounded, ended, forced, orders, search } = await investigate(program.executor, program.orders, {
    maxSchedules: most.schedules,
    maxTimeMs: Math.min(maxTimeMs, most.timeMs),
    isEnough: () => (program.findings?.() ?? 0) >= most.findings,
    used: store.schedules(test.id).filter((s) => s.verdict !== null && s.origin === 'directed').length,
    confirm: options.confirm,
    signal: context.signal,
    planned: ({ origin, schedule, spec }) => {
      const seed = 'seed' in spec ? spec.seed : null;
      store.recordSchedulePlanned(test.id, schedule, origin, seed);
    },
    assumed: program.assumed,
    confirmed: new Map(
      store
        .bugs(test.id)
        .filter(({ report }) => report.conditional === null)
        .map(({ fingerprint, report }) => [fingerprint, report.class]),
    ),
    found: async (finding) => {
      const found = await program.found(finding);
      counters.found += 1;
      return found;
    },
    judged: (schedule, verdict, { choices: _, breadth: __, ...result }) => {
      store.atomically(() => {
        store.recordRun(test.id, { schedule: schedule.id, mode: 'warm', control: false, result });
        store.setVerdict(test.id, schedule.id, verdict);
      });
      counters.tried += 1;
      context.tell('forcing', test.name);
    },
  });
  await program.complete();
  context.note(test.id, { budget: ended ?? undefined });
  const unfit = forced > 0 ? program.unfit?.() : null;
  if (unfit) context.note(test.id, { ownProcesses: unfit });
  if (context.threads.has(test.id) && search.orders > 0) context.note(test.id, { search });
  if (bounded) context.note(test.id, { bounded });
  if (whole.signal.aborted) return 'done';
  if (isPart && ended?.limit === 'time') return progress();
  store.updateTest(test.id, {
    finished: true,
    note: ended ? `budget ended (${ended.limit})` : orders?.all ? null : test.note,
    ...(orders ? { orders: orders.count, allOrders: orders.all } : {}),
  });
  return 'done';
}
