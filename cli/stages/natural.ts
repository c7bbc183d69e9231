/**
 * Tests that fail in the natural order under control. Where another order passes, the nearest one is what they are analysed
 * from, and the natural one is the first order that fails: a finding, where plain Node shows that the test does pass.
 */
import { NOTHING_ASSUMED, type RunResult, type StrategySpec } from '../../data/run.ts';
import type { TestRecord } from '../../data/store/index.ts';
import { predict } from '../../predictor/predict.ts';
import { passesWhen } from '../../report/bug.ts';
import { errorLine } from '../../report/phrase.ts';
import { confirm } from '../../rescheduler/investigate/confirm.ts';
import { forced } from '../../rescheduler/investigate/counterfactual.ts';
import { leavesOf } from '../../rescheduler/investigate/enumeration.ts';
import type { Finding } from '../../rescheduler/investigate/investigate.ts';
import { LoopOrders } from '../../rescheduler/investigate/loop-orders.ts';
import {
  NATURAL,
  naturally,
  type PassingBudget,
  passingOrder,
} from '../../rescheduler/investigate/passing.ts';
import { PCT, RANDOM } from '../../rescheduler/strategies/list.ts';
import type { Recording, Subject } from '../../rescheduler/subjects/protocol.ts';
import { hasChildren } from './as-recorded.ts';
import { describe, type KeptBug, keep } from './bug.ts';
import type { StageContext } from './context.ts';
import type { NaturalFailure } from './natural-failure.ts';
import { plainRuns } from './plainly.ts';
import { loopOf } from './predict.ts';

/** All searches of a command together take no longer: of tests that fail then nothing is searched, ms. */
const MOST_MS = 20_000;
const spentMs = new WeakMap<StageContext, number>();
/** Runs on plain Node. */
const PLAIN_RUNS = 3;
const SEARCH = { runs: 60, forMs: 1000 };
/** Each run waits for processes to begin, and it is known that another order passes. */
const SEARCH_OF_CHILDREN = { runs: 60, forMs: 10_000 };
/** Two that were asked for by one task change places by chance; whole activities stay behind by priorities. */
const FAR = [
  { strategy: RANDOM.name, maxSchedules: 8 },
  { strategy: PCT.name, maxSchedules: 6 },
];
/** Of the time for a test that somebody wants to have explained. */
const SHARE = 0.2;

/** What passes where the natural order failed, recorded, with what is to be kept of it. */
export interface Otherwise {
  readonly recording: Recording;
  readonly natural: NaturalFailure;
}

/** Looks for an order that passes. null: nothing that can be said fails, or none was found. */
export async function otherwise(
  context: StageContext,
  subject: Subject,
  { result, trace }: Recording,
  isOfChildren = false,
): Promise<Otherwise | null> {
  if (subject.observeSerially) return serially(context, subject, result);
  const { isThorough, maxSchedules, maxTimeMs, seed } = context.options;
  const { breadth, durationMs, failure, outcome, overtime, steps } = result;
  const spent = spentMs.get(context.whole) ?? 0;
  if ((outcome !== 'fail' && outcome !== 'deadlock') || breadth === 0 || overtime || spent > MOST_MS)
    return null;
  const budget: PassingBudget = {
    ...(isThorough
      ? { runs: maxSchedules, forMs: SHARE * maxTimeMs }
      : isOfChildren
        ? SEARCH_OF_CHILDREN
        : SEARCH),
    isOver: () => context.over,
  };
  const how = { seed, expected: leavesOf(breadth), isThorough };
  const search = async (): Promise<Otherwise | null> => {
    const prediction = predict(trace, loopOf(context.options));
    // What is far from the natural order first: whatever passes is brought near it afterwards.
    const orders = () =>
      [...FAR, { strategy: 'directed', maxSchedules }].map(
        (kind) => new LoopOrders(steps, prediction, { ...how, ...kind }),
      );
    let sought = 0;
    const passing = async (execute: Subject['execute']): Promise<Recording | null> => {
      const run = (spec: StrategySpec) => {
        sought += 1;
        context.tell('looking for an order that passes', subject.name);
        return execute(spec, { ...context.execution, wantChoices: spec.kind === 'prefix' });
      };
      const found = await passingOrder(orders(), steps, run, budget);
      if (!found) context.note(subject.id, { sought });
      return found && context.record(subject, forced(found.steps));
    };
    let recording = await passing((...run) => subject.execute(...run));
    // What passes in a process that lasts is told where it does in one of its own.
    if (recording && recording.result.outcome !== 'pass')
      recording = await passing((...run) => subject.executeFresh(...run));
    if (recording?.result.outcome !== 'pass') return null;
    const { ok, of } = context.onPlainNode ?? (await plainRuns(context, subject, PLAIN_RUNS));
    const { requiredPauseMs, requiredStallMs } = recording.result;
    const natural: NaturalFailure = {
      steps: recording.result.steps,
      isSerial: false,
      ...{ needMs: Math.max(requiredStallMs, requiredPauseMs), tookMs: durationMs },
      error: failure ? errorLine(failure) : outcome,
      plain: { ok, of },
    };
    return { recording, natural };
  };
  const started = performance.now();
  const found = await context.inTime(search, null);
  spentMs.set(context.whole, (spentMs.get(context.whole) ?? 0) + performance.now() - started);
  return found;
}

/** Calls that overlap are compared with the same calls one behind the other, which pass by what passing means. */
async function serially(
  context: StageContext,
  subject: Subject,
  failed: RunResult,
): Promise<Otherwise | null> {
  if (failed.outcome !== 'fail' && failed.outcome !== 'deadlock') return null;
  subject.observeSerially?.();
  const recording = await context.record(subject);
  if (recording.result.outcome !== 'pass') return null;
  const { durationMs, failure, outcome } = failed;
  const natural: NaturalFailure = {
    steps: recording.result.steps,
    isSerial: true,
    ...{ needMs: 0, tookMs: durationMs },
    error: failure ? errorLine(failure) : outcome,
    plain: { ok: 0, of: 0 },
  };
  return { recording, natural };
}

/** What is later than this only on a busy machine is not why a test passes there, ms. */
const USUAL_MS = 50;

/**
 * Confirms that the natural order fails and the kept one passes, explains it, and stores it as a bug. A sentence: why it is none; null:
 * there was no time left to tell.
 * `subject`: observed in the order that passes.
 */
export async function naturalFinding(
  context: StageContext,
  test: TestRecord,
  subject: Subject,
  known: NaturalFailure,
): Promise<{ readonly finding: Finding; readonly kept: KeptBug } | string | null> {
  const { options, store } = context;
  const seen = await subject.execute(naturally, context.execution);
  const byChance = `${known.error}; not each time in the same order`;
  if (seen.outcome !== 'fail' && seen.outcome !== 'deadlock') return byChance;
  const fresh: Parameters<typeof confirm>[0] = (spec) => subject.executeFresh(spec, context.execution);
  const confirmation = await confirm(fresh, naturally, seen, options.confirm);
  if (!confirmation.confirmed || naturally.kind !== 'directed') return byChance;
  const { schedule } = naturally;
  const { result } = confirmation;
  const finding: Finding = {
    ...{ origin: 'directed', schedule, steps: schedule.steps, cutPoint: null, assumed: NOTHING_ASSUMED },
    ...{ result, confirmation, schedulesUntilFound: 0, orders: [result.steps], variants: [] },
  };
  const explained = await describe(context, test, subject, finding);
  if (explained.isUndecided) return null;
  if (!isFinding(finding, explained, known, options.isThorough || hasChildren(test)))
    return [known.error, passesWhen(explained.counterfactual)].filter((part) => part !== '').join('; ');
  store.recordSchedulePlanned(test.id, schedule, finding.origin, null);
  const kept = { ...explained, id: keep(context, test, finding, explained) };
  const { choices: _, breadth: __, ...told } = result;
  store.atomically(() => {
    store.recordRun(test.id, { schedule: NATURAL, mode: 'fresh', control: false, result: told });
    store.setVerdict(test.id, NATURAL, result.outcome === 'deadlock' ? 'deadlock' : 'confirmed');
  });
  context.counters.found += 1;
  return { finding, kept };
}

/**
 * A test that never passes natively is red, whatever some order says. Of one that does the pair of accesses has to be known, and
 * what is only late by accident does not explain it.
 */
function isFinding(
  { result }: Finding,
  { flip, points, timing }: KeptBug,
  { isSerial, needMs, plain }: NaturalFailure,
  isWanted: boolean,
): boolean {
  if (isWanted || isSerial) return true;
  const isStuck = result.outcome === 'deadlock' || result.failure?.kind === 'timeout';
  const isExplained = points.length > 0 || flip !== null || (timing?.told ?? null) !== null;
  return plain.ok > 0 && needMs < USUAL_MS && !isStuck && isExplained;
}
