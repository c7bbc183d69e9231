/** Schedules of threads as the store keeps them: `alice 4`, `bob 2`: who takes how many steps. */
import { createHash } from 'node:crypto';
import type { AccessPoint, CutPoint, Schedule } from '../../../data/prediction.ts';
import { spellThread, threadStepOf } from '../../../data/schedule-step.ts';
import type { ThreadCutPoint } from '../../../data/threads/cut-point.ts';
import { deliveriesIn, isOfLoops, lateTurns, withoutTasks } from '../../../data/threads/tasks.ts';
import { Op, reordered, type ThreadTrace } from '../../../data/threads/trace.ts';
import { readable } from '../../../data/threads/transaction.ts';
import { wholeOrder } from '../../../predictor/threads/predict.ts';
import { shownOnlyBy } from '../../../predictor/threads/shown.ts';
import { Transactions } from '../../../predictor/threads/transactions.ts';
import { pctPlan } from '../../../rescheduler/strategies/pct.ts';
import { grantsOf } from '../../../rescheduler/tokens/follow.ts';
import type { ThreadResult, ThreadSchedule, ThreadSpec } from '../../../rescheduler/tokens/protocol.ts';

/** Grants (pairs of thread and steps) as steps with names; the steps of event loops stand behind them. */
export function stepsOf(
  threads: readonly string[],
  grants: readonly number[],
  deliveries: ThreadResult['deliveries'] = [],
): string[] {
  const steps: string[] = [];
  for (let i = 0; i < grants.length; i += 2)
    steps.push(spellThread({ thread: threads[grants[i]!]!, count: grants[i + 1]! }));
  return [
    ...steps,
    ...deliveries.flatMap((of, thread) => of.map((step) => spellThread({ thread: threads[thread]!, step }))),
  ];
}

/** The schedule that {@link stepsOf} tells. */
export function takenSchedule(threads: readonly string[], steps: readonly string[]): ThreadSchedule {
  const grants: number[] = [];
  const deliveries = threads.map((): string[] => []);
  let isOfLoops = false;
  for (const { thread, count, step } of steps.map(threadStepOf)) {
    const number = threads.indexOf(thread);
    if (step === undefined) grants.push(number, count);
    else {
      isOfLoops = true;
      deliveries[number]?.push(step);
    }
  }
  return { grants, expected: null, threads, ...(isOfLoops && { deliveries }) };
}

/** What an execution took, to be taken again. */
export const takenBy = (threads: readonly string[], { deliveries, taken }: ThreadResult): ThreadSchedule => ({
  ...{ grants: taken, expected: null, threads },
  ...(deliveries.length > 0 && { deliveries }),
});

/** What a cut point tells, whatever led to it. */
type Told = Pick<ThreadCutPoint, 'pattern' | 'entity' | 'first' | 'remote' | 'second' | 'rank' | 'reasons'>;

/** Stable over runs: by names and places. */
function idOf({ names, events }: ThreadTrace, { pattern, entity, first, remote, second }: Told): string {
  const at = (event: number) => [names.threads[events.thread[event]!], names.points[events.point[event]!]];
  const what = JSON.stringify([pattern, entity, at(first), at(remote), at(second), first, remote, second]);
  return createHash('sha256').update(what).digest('hex').slice(0, 8);
}

export function scheduleOf(trace: ThreadTrace, cutPoint: ThreadCutPoint): Schedule {
  const { observed } = cutPoint;
  const order = isOfLoops(trace) ? wholeOrderOf(trace, cutPoint) : cutPoint.reduced;
  const grants = grantsOf(withoutTasks(reordered(trace, order)).events);
  const isWhole = order !== cutPoint.reduced || observed === 0;
  const id = idOf(trace, cutPoint);
  return {
    id: `s${id}`,
    cutPoint: `c${id}`,
    steps: [...(isWhole ? [] : [`as observed ${observed}`]), ...stepsOf(trace.names.threads, grants)],
    moves: 0,
    switches: isWhole ? grants.length / 2 - 1 : cutPoint.switches.after,
    stallMs: 0,
  };
}

/** Begins the id of a schedule that was chosen by priorities. */
export const PCT = 'pct-';

/** How the schedules go of which the store keeps no more than a seed. */
export const specBySeed = (kind: 'pct' | 'random', seed: number, { events }: ThreadTrace): ThreadSpec =>
  kind === 'pct' ? { kind, ...pctPlan(seed, events.length) } : { kind, seed };

/**
 * The order that is forced, from the beginning of the trace. Threads with event loops share a time: there it is the one nearest to
 * what was observed, not the one with the fewest switches, in which a thread may be late for no other reason.
 */
function wholeOrderOf(trace: ThreadTrace, cutPoint: ThreadCutPoint): ArrayLike<number> {
  if (!isOfLoops(trace)) return wholeOrder(trace, cutPoint);
  return lateTurns(trace, cutPoint.observed > 0 ? wholeOrder(trace, cutPoint) : cutPoint.schedule);
}

/** A schedule to be forced, with the events that it must bring about: up to the remote access. */
export function forced(trace: ThreadTrace, cutPoint: ThreadCutPoint): ThreadSchedule {
  const order = Array.from(wholeOrderOf(trace, cutPoint));
  const whole = reordered(trace, order);
  const deliveries = deliveriesIn(whole);
  return {
    grants: grantsOf(withoutTasks(whole).events),
    threads: trace.names.threads,
    expected: withoutTasks(reordered(trace, order.slice(0, order.indexOf(cutPoint.remote) + 1))),
    ...(deliveries.some((of) => of.length > 0) && { deliveries }),
  };
}

/** An access of a thread in the words of all reports. */
export function accessAt({ events, names }: ThreadTrace, event: number): AccessPoint {
  const task = names.threads[events.thread[event]!]!;
  return {
    site: events.point[event]!,
    at: names.points[events.point[event]!]!,
    path: task,
    task,
    access: events.op[event] === Op.Write ? 'write' : 'read',
    ordinal: 0,
    request: null,
    event,
  };
}

/** A cut point of threads in the words of all reports. */
export function cutPointOf(trace: ThreadTrace, cutPoint: Told): CutPoint {
  const access = (event: number): AccessPoint => accessAt(trace, event);
  const first = access(cutPoint.first);
  return {
    id: `c${idOf(trace, cutPoint)}`,
    pattern: cutPoint.pattern,
    entity: cutPoint.entity,
    first,
    remote: access(cutPoint.remote),
    second: access(cutPoint.second),
    transaction: transactionOf(trace, cutPoint) ?? first.path,
    locksFirst: [],
    locksRemote: [],
    rank: cutPoint.rank,
    reasons: cutPoint.reasons,
  };
}

/** For people: the call or the pass that the two local accesses belong to; null: nothing smaller than their thread. */
export function transactionOf(trace: ThreadTrace, { first, second }: Told): string | null {
  let transactions = known.get(trace);
  if (!transactions) known.set(trace, (transactions = new Transactions(trace)));
  const found = transactions.of(first, second);
  return found && readable(found);
}

const known = new WeakMap<ThreadTrace, Transactions>();

/** What explains a failure that no prediction led to, read off its own run; the best first. */
export function explanationsOf(failing: ThreadTrace, natural: ThreadTrace): CutPoint[] {
  return shownOnlyBy(failing, natural).map((shown) =>
    cutPointOf(failing, { ...shown, entity: failing.names.entities[shown.entity]!, rank: 0, reasons: [] }),
  );
}
