/**
 * Stage 3 for harnesses of threads: predicted schedules first; where those are silent, schedules with one preemption, with
 * two, then random ones. Failures are confirmed.
 */
import type { CutPoint, Schedule } from '../../../data/prediction.ts';
import type { RunResult } from '../../../data/run.ts';
import type { Origin, TestRecord } from '../../../data/store/index.ts';
import type { ThreadCutPoint } from '../../../data/threads/cut-point.ts';
import { withoutTasks } from '../../../data/threads/tasks.ts';
import type { ThreadTrace } from '../../../data/threads/trace.ts';
import type { Verdict } from '../../../data/verdicts.ts';
import { SubjectError } from '../../../rescheduler/subjects/protocol.ts';
import { classOf, spread } from '../../../rescheduler/tokens/equivalence.ts';
import { preemptions, twoPreemptions } from '../../../rescheduler/tokens/preemptions.ts';
import type { ThreadedTest, ThreadResult, ThreadSpec } from '../../../rescheduler/tokens/protocol.ts';
import type { RunOptions } from '../../options.ts';
import type { Context } from '../context.ts';
import { keepBug } from './bug.ts';
import { confirm } from './confirm.ts';
import { threadTrace } from './predict.ts';
import { cutPointOf, forced, PCT, specBySeed, stepsOf } from './schedule.ts';

export async function rescheduleThreads(context: Context): Promise<void> {
  const started = performance.now();
  const { store } = context;
  context.addPrograms((_, { id }) => store.getTest(id) !== null);
  for (const subject of context.threads.values()) {
    const test = store.getTest(subject.id);
    if (!test?.predicted || test.finished || context.over) continue;
    try {
      await context.attempt(() => rescheduleTest(context, test, subject));
    } catch (error) {
      if (!(error instanceof SubjectError)) throw error;
      store.updateTest(test.id, { baseline: 'flaky', note: error.message, finished: true });
      context.note(test.id, { reason: error.message });
    }
    await subject.close();
  }
  store.addTiming('reschedule', performance.now() - started);
}

/** Schedules with one preemption, with two, and random ones, that are tried where the predicted ones are silent. */
const PREEMPTIONS = 100;
/** The most telling come first; fewer where each execution is a process. */
const TWO_PREEMPTIONS = { threads: 50, 'node-test': 10, script: 10 } as const;
const RANDOM = 100;
/**
 * Where each execution is a whole program, a kind of them is over when so many in a row were, but for steps that commute, as one
 * before: where little is shared there are few orders.
 */
const MOST_REPEATED = 10;

/** One schedule to be tried. */
interface Attempt {
  readonly schedule: Schedule;
  readonly spec: ThreadSpec;
  readonly cutPoint: CutPoint | null;
  readonly origin: Origin;
  readonly seed: number | null;
}

async function rescheduleTest(whole: Context, test: TestRecord, subject: ThreadedTest): Promise<void> {
  const { store, options, counters } = whole;
  const context = whole.within(Math.min(options.maxTimeMs, whole.left));
  const trace = threadTrace(store, test.id);
  if (!trace) return;
  const planned = store.pendingSchedules(test.id).length;
  counters.planned += planned;
  const found = new Set(store.bugs(test.id).map(({ fingerprint }) => fingerprint));
  let tried = 0;
  const search = new Search();
  let limit: string | null = null;
  await context.attempt(async () => {
    for (const attempt of attemptsOf(context, test, trace, subject, search)) {
      limit = context.over ? 'time' : tried >= options.maxSchedules ? 'schedules' : null;
      if (limit) return;
      store.recordSchedulePlanned(test.id, attempt.schedule, attempt.origin, attempt.seed);
      const { ran, trace: taken } = await subject.execute(attempt.spec, context.threadExecution);
      tried += 1;
      if (taken) search.saw(taken, attempt.origin);
      const verdict = await judge(context, test, subject, trace, attempt, ran, found, tried);
      store.atomically(() => {
        const run = { schedule: attempt.schedule.id, mode: 'warm', control: false } as const;
        store.recordRun(test.id, { ...run, result: resultOf(ran, trace.names.threads) });
        store.setVerdict(test.id, attempt.schedule.id, verdict);
      });
      counters.tried += 1;
      context.tell('forcing', test.name);
    }
  });
  if (whole.over) return;
  // It may have ended an execution that was under way.
  if (context.over) limit = 'time';
  const left = Math.max(0, planned - tried);
  if (limit) context.note(test.id, { budget: { left, limit: `max ${limit}` } });
  if (search.orders > 0) context.note(test.id, { search: { tried: search.tried, orders: search.orders } });
  const note = limit && `budget ended (max ${limit})`;
  store.updateTest(test.id, { finished: true, note });
}

/** Which orders were seen. */
class Search {
  /** Executions that no prediction led to, and how many of them were a new order. */
  tried = 0;
  orders = 0;
  private readonly seen = new Set<string>();
  private repeated = 0;

  saw(taken: ThreadTrace, origin: Origin): void {
    const before = this.seen.size;
    this.seen.add(classOf(taken));
    if (origin === 'directed') return;
    const isNew = this.seen.size > before;
    this.tried += 1;
    this.orders += Number(isNew);
    this.repeated = isNew ? 0 : this.repeated + 1;
  }

  /** Those of one kind, until they bring nothing new. */
  *until<T>(attempts: Iterable<T>): Generator<T> {
    this.repeated = 0;
    for (const attempt of attempts) {
      if (this.repeated >= MOST_REPEATED) return;
      yield attempt;
    }
  }
}

function* attemptsOf(
  context: Context,
  test: TestRecord,
  trace: ThreadTrace,
  subject: ThreadedTest,
  search: Search,
): Generator<Attempt> {
  const { store, options } = context;
  const pending = new Map(
    store.pendingSchedules(test.id).map(({ schedule }) => [schedule.cutPoint, schedule]),
  );
  if (options.strategy === 'directed')
    for (const cutPoint of store.getThreadCutPoints(test.id)) {
      const point = cutPointOf(trace, cutPoint);
      const schedule = pending.get(point.id);
      if (!schedule) continue;
      yield { schedule, spec: directed(trace, cutPoint), cutPoint: point, origin: 'directed', seed: null };
    }
  for (const attempt of explored(options, trace, subject.kind, search)) {
    // Beside the prediction, search and chance are for tests that are silent otherwise.
    if (options.strategy === 'directed' && store.bugs(test.id).length > 0) return;
    yield attempt;
  }
}

/** What does not come from a cut point. */
function* explored(
  { strategy, maxSchedules, seed: first }: RunOptions,
  trace: ThreadTrace,
  kind: ThreadedTest['kind'],
  search: Search,
): Generator<Attempt> {
  const none = { cutPoint: null, moves: 0, stallMs: 0 };
  const enumerated = (id: string, grants: readonly number[]): Attempt => {
    const steps = stepsOf(trace.names.threads, grants);
    const schedule = { ...none, id, steps, switches: grants.length / 2 - 1 };
    const spec = { kind: 'directed', schedule: { grants, expected: null } } as const;
    return { schedule, spec, cutPoint: null, origin: 'enumerated', seed: null };
  };
  const chosen = (kind: 'pct' | 'random', count: number): Attempt[] =>
    Array.from({ length: count }, (_, nth): Attempt => {
      const seed = first + nth;
      const spec = specBySeed(kind, seed, trace);
      const schedule = { ...none, id: `${kind === 'pct' ? PCT : 'r'}${seed}`, steps: [], switches: 0 };
      return { schedule, spec, cutPoint: null, origin: 'random', seed };
    });
  if (strategy === 'pct') return yield* search.until(chosen('pct', maxSchedules));
  if (strategy !== 'random') {
    const own = withoutTasks(trace);
    const most = (budget: number) => (strategy === 'directed' ? budget : maxSchedules);
    const once = [...preemptions(own, most(PREEMPTIONS))];
    for (const { event, grants, thread } of search.until(kind === 'threads' ? once : spread(once)))
      yield enumerated(`p${event}-${thread}`, grants);
    const twice = twoPreemptions(own, most(TWO_PREEMPTIONS[kind]));
    for (const { event, grants, second, thread } of search.until(twice))
      yield enumerated(`p${event}-${thread}-${second.event}-${second.thread}`, grants);
  }
  yield* search.until(chosen('random', strategy === 'directed' ? RANDOM : maxSchedules));
}

const directed = (trace: ThreadTrace, cutPoint: ThreadCutPoint): ThreadSpec => ({
  kind: 'directed',
  schedule: forced(trace, cutPoint),
});

async function judge(
  context: Context,
  test: TestRecord,
  subject: ThreadedTest,
  trace: ThreadTrace,
  { cutPoint, schedule, origin }: Attempt,
  ran: ThreadResult,
  found: Set<string>,
  tried: number,
): Promise<Verdict> {
  if (ran.outcome === 'unknown') return 'unknown';
  if (ran.outcome === 'pass') return ran.followed && ran.followed !== 'followed' ? ran.followed : 'passed';
  const bug = ran.outcome === 'deadlock' ? 'deadlock' : 'confirmed';
  const fingerprint = ran.failure!.fingerprint;
  if (found.has(fingerprint)) return bug;
  const confirmation = await confirm(context, subject, trace, ran);
  if (confirmation.reproduced < confirmation.times || confirmation.control < confirmation.times)
    return 'unknown';
  found.add(fingerprint);
  context.counters.found += 1;
  await keepBug(context.whole, {
    ...{ test, subject, natural: trace, cutPoint, schedule, origin, ran, confirmation, tried },
  });
  return bug;
}

/** A run of threads as the store keeps runs. */
export function resultOf(ran: ThreadResult, threads: readonly string[]): RunResult {
  return {
    outcome: ran.outcome,
    followed: ran.followed,
    patternSeen: ran.followed === 'followed',
    failure: ran.failure,
    steps: ran.outcome === 'pass' ? [] : stepsOf(threads, ran.taken, ran.deliveries),
    breadth: 0,
    requiredStallMs: 0,
    requiredPauseMs: 0,
    late: [],
    traceHash: ran.traceHash,
    divergence: null,
    waits: ran.waits,
    ungated: ran.ungated,
    durationMs: ran.durationMs,
  };
}
