/** A test of threads, as stage 3 sees it. */
import { NOTHING_ASSUMED } from '../../../data/run.ts';
import type { TestRecord } from '../../../data/store/index.ts';
import { sharedEntities } from '../../../data/threads/shared.ts';
import type { ThreadTrace } from '../../../data/threads/trace.ts';
import { forcibleCutPoints } from '../../../predictor/threads/forcible.ts';
import { newTally } from '../../../predictor/threads/predict-all.ts';
import { forced, isWhole, scheduleOf, turnedOrder } from '../../../predictor/threads/schedules.ts';
import { cutPointOf } from '../../../predictor/threads/told.ts';
import { tornPairs } from '../../../predictor/threads/torn-pairs.ts';
import { turnedRound } from '../../../predictor/threads/turned-round.ts';
import {
  explainThreads,
  explainThreadsAgain,
  type ThreadExplanation,
} from '../../../rescheduler/explain/threads.ts';
import type { Finding } from '../../../rescheduler/investigate/investigate.ts';
import { ThreadExecutor } from '../../../rescheduler/tokens/executor.ts';
import type { PredictedOrder } from '../../../rescheduler/tokens/further.ts';
import type { ThreadedTest } from '../../../rescheduler/tokens/protocol.ts';
import { ThreadOrders } from '../../../rescheduler/tokens/thread-orders.ts';
import type { StageContext } from '../context.ts';
import { pendingOf } from '../pending.ts';
import { keepBug, meansOf, runsOf } from '../threads/bug.ts';
import { threadTrace } from '../threads/predict.ts';
import type { InvestigatedTest } from './program.ts';

/** Scenarios are many: one finding is enough of each, and so much time. */
const MOST = { timeMs: 20_000, findings: 1 };
/** So many times as many schedules as of other tests: each takes about a millisecond, and all of them say something together. */
const MORE = 10;

/** null: it was not recorded. */
export function openThreads(
  context: StageContext,
  test: TestRecord,
  subject: ThreadedTest,
): InvestigatedTest | null {
  const { options, store } = context;
  const natural = threadTrace(store, test.id);
  if (!natural) return null;
  const own = store.getThreadCutPoints(test.id);
  const cutPoints = own.map((cutPoint) => cutPointOf(natural, cutPoint));
  const numbers = new Map(cutPoints.map(({ id }, number) => [id, number]));
  const prediction = { cutPoints, schedules: pendingOf(store, test) };
  const kept = new Map<Finding, ThreadExplanation>();
  const run = runsOf(context, subject);
  const isOfCalls = subject.overlaps !== undefined;
  const areStrangers = subject.kind !== 'threads' && sharedEntities(natural.events).size === 0;
  if (areStrangers) context.note(test.id, { strangers: 1 });
  // Scenarios have all of their orders executed.
  const ofPairs = { predict: predictWhole, torn: () => tornOrders(natural) };
  const how = { ...options, ...(!isOfCalls && ofPairs), areStrangers };
  return {
    assumed: NOTHING_ASSUMED,
    executor: new ThreadExecutor(subject, context.threadExecution, natural.names.threads, ({ id }) => {
      const number = numbers.get(id);
      return number === undefined ? null : forced(natural, own[number]!);
    }),
    orders: new ThreadOrders(subject.kind, natural, prediction, how, isOfCalls),
    ...(isOfCalls && { most: { ...MOST, schedules: MORE * options.maxSchedules } }),
    findings: () => kept.size,
    async found(finding) {
      const explained = await explainThreads(natural, finding, meansOf(context.whole, subject, run));
      kept.set(finding, explained);
      keepBug(context, test, finding, explained);
      return 'race';
    },
    async complete() {
      for (const [finding, explained] of kept) {
        if (context.over) break;
        const again = explainThreadsAgain(natural, finding, explained, meansOf(context, subject, run));
        keepBug(context, test, finding, await again);
      }
    },
  };
}

/** What is predicted of a run that was recorded on the way: nobody else knows how that began. */
function predictWhole(trace: ThreadTrace, fresh?: ReadonlySet<string>): PredictedOrder[] {
  const predicted = forcibleCutPoints(trace, newTally()).map((cutPoint) => ({
    cutPoint: cutPointOf(trace, cutPoint),
    schedule: scheduleOf(trace, cutPoint),
  }));
  const turned = fresh ? turnedRound(trace, fresh).map((each) => turnedOrder(trace, each)) : [];
  return [...turned, ...tornOrders(trace), ...predicted.filter(({ schedule }) => isWhole(schedule))];
}

const tornOrders = (trace: ThreadTrace): PredictedOrder[] =>
  tornPairs(trace).map((each) => turnedOrder(trace, each));
