/** A test with one event loop, as stage 3 sees it. */
import type { TestRecord } from '../../../data/store/index.ts';
import type { Trace } from '../../../data/trace.ts';
import { predict } from '../../../predictor/predict.ts';
import { LEANS } from '../../../report/entries.ts';
import { errorLine } from '../../../report/phrase.ts';
import type { Finding } from '../../../rescheduler/investigate/investigate.ts';
import { LoopOrders } from '../../../rescheduler/investigate/loop-orders.ts';
import type { Subject } from '../../../rescheduler/subjects/protocol.ts';
import { withReference } from '../../../rescheduler/subjects/reference.ts';
import type { RunOptions } from '../../options.ts';
import { asRecorded, BEHIND_OTHERS, hasChildren } from '../as-recorded.ts';
import { leansOnOthers, runAgain } from '../baseline-runs.ts';
import { complete, describe, type KeptBug, keep } from '../bug.ts';
import { lookCloser } from '../closer.ts';
import type { StageContext } from '../context.ts';
import { naturalFinding } from '../natural.ts';
import { type NaturalFailure, naturalFailureOf } from '../natural-failure.ts';
import { pendingOf } from '../pending.ts';
import { loopOf } from '../predict.ts';
import { isOnlySearched, pairsIn } from '../stand-ins.ts';
import type { InvestigatedTest } from './program.ts';

/** A forced run may take so many times as long as an observed one, and no less than this, before it is given up, ms. */
const SLOWER = 20;
const LEAST_WATCHDOG_MS = 2000;

const watchdogOf = ({ watchdogMs }: Pick<RunOptions, 'watchdogMs'>, observedMs: number): number =>
  Math.min(watchdogMs, Math.max(LEAST_WATCHDOG_MS, SLOWER * observedMs));

/**
 * The test as it is observed: where its natural order fails, in the one that passes. How long a child takes is another thing
 * each time, and the natural order with it: then it is the recorded one.
 */
function observed(own: Subject, natural: NaturalFailure | null, recorded: readonly string[] | null): Subject {
  if (natural?.isSerial) own.observeSerially?.();
  const steps = natural && !natural.isSerial ? natural.steps : recorded;
  return steps ? withReference(own, steps) : own;
}

/** Runs it a few times more first. A sentence: why it is not to be forced; null: the time for it is over. */
export async function openLoop(
  context: StageContext,
  given: TestRecord,
  recorded: Subject,
): Promise<InvestigatedTest | string | null> {
  const { options, store } = context;
  context.note(given.id, { undecided: undefined });
  const natural = naturalFailureOf(given);
  const runsAgain = async (recipe: TestRecord['recipe']) => {
    const own = asRecorded(recorded, { recipe });
    const subject = observed(own, natural, hasChildren(given) ? store.getSteps(given.id) : null);
    return { own, recipe, subject, ...(await runAgain(context, subject)) };
  };
  const alone = await runsAgain(given.recipe);
  const leans = await leansOnOthers(context, alone.subject, alone);
  const behind = leans ? await runsAgain({ ...given.recipe, ...BEHIND_OTHERS }) : alone;
  const { own, recipe, subject, failing, expected, slowestMs, strangers } = behind.failing ? alone : behind;
  const test = { ...given, recipe };
  if (leans && !failing && !context.over) store.putTest(test);
  // A test that was not repeated as often as it should be is left for the next command.
  if (context.over) return null;
  // In the recorded process it was a connection that tests of other files had made before.
  if (failing && strangers.length > 0) context.note(test.id, { peers: strangers });
  if (failing) return natural?.error ?? (leans ? LEANS + failing : failing);
  const longestMs = Math.max(slowestMs, natural?.tookMs ?? 0);
  context.options = { ...options, watchdogMs: watchdogOf(options, longestMs) };
  const prediction = { cutPoints: store.getCutPoints(test.id), schedules: pendingOf(store, test) };
  const { isThorough, maxSchedules, seed, strategy } = options;
  // Scenarios are many, and have budgets of their own.
  const isDeep = options.isDeep && own.most === undefined;
  const further = (trace: Trace) => predict(trace, loopOf(context.options));
  const swaps = isOnlySearched(context, test) ? pairsIn(store, test, options.maxStallMs) : null;
  if (swaps) context.note(test.id, { swapped: 1 });
  const search = { maxSchedules, seed, strategy, expected, isThorough, isDeep, predict: further, swaps };
  const how = { ...search, assumed: context.assumptions };
  const kept = new Map<Finding, KeptBug>();
  if (natural) {
    const told = await naturalFinding(context, test, subject, natural);
    if (told === null) return told;
    if (typeof told !== 'string') kept.set(told.finding, told.kept);
    // In another order of its children the test passes: there is what to judge, although this one is not shown again.
    else if (hasChildren(test)) context.note(test.id, { asked: told });
    else return told;
  }
  return {
    assumed: context.assumptions,
    executor: {
      execute: (spec, assumed) =>
        subject.execute(spec, { ...context.under(assumed), wantChoices: spec.kind === 'prefix' }),
      executeFresh: (spec, assumed) => subject.executeFresh(spec, context.under(assumed)),
      record: (spec, assumed) => context.recordWarm(subject, spec, assumed),
    },
    most: own.most && { ...own.most, schedules: Math.min(maxSchedules, own.most.schedules) },
    findings: () => kept.size,
    unfit: () => subject.unfit ?? null,
    orders: new LoopOrders(store.getSteps(test.id) ?? [], prediction, how),
    async found(finding) {
      const one = await describe(context, test, subject, finding);
      if (one.isUndecided) {
        // It is left as what was under way when the time was over: whoever goes on meets it again.
        context.note(test.id, {
          undecided: finding.result.failure ? errorLine(finding.result.failure) : finding.result.outcome,
        });
        context.signal.throwIfAborted();
      }
      kept.set(finding, { ...one, id: keep(context, test, finding, one) });
      return one.timing?.told ? 'timing' : 'race';
    },
    async complete() {
      for (const [finding, one] of kept) {
        if (context.over) break;
        const whole = await complete(context, test, subject, finding, one);
        keep(context, test, finding, whole);
        const closer = await context.inTime(() => lookCloser(context, test, own, finding, whole), null);
        if (closer) keep(context, test, { ...finding, variants: [] }, closer);
      }
    },
  };
}
