/** The order that a cut point of threads wants, as a schedule: for the store, and to be forced. */
import type { Schedule } from '../../data/prediction.ts';
import { wholeCalls } from '../../data/threads/calls.ts';
import type { ThreadCutPoint } from '../../data/threads/cut-point.ts';
import { wholeEffects } from '../../data/threads/effects.ts';
import { grantsOf, scheduleOfOrder, stepsOf, type ThreadSchedule } from '../../data/threads/schedule.ts';
import { isOfLoops, lateTurns, withoutTasks } from '../../data/threads/tasks.ts';
import { reordered, type ThreadTrace } from '../../data/threads/trace.ts';
import { wholeOrder } from './predict.ts';
import { cutPointOf, idOf } from './told.ts';
import type { TurnedRound } from './turned-round.ts';

const AS_OBSERVED = 'as observed ';

/** Its steps are those from the beginning. */
export const isWhole = ({ steps }: Schedule): boolean => !steps[0]?.startsWith(AS_OBSERVED);

export function scheduleOf(trace: ThreadTrace, cutPoint: ThreadCutPoint): Schedule {
  const { observed } = cutPoint;
  const order = isOfLoops(trace) ? wholeOrderOf(trace, cutPoint) : cutPoint.reduced;
  const grants = grantsOf(withoutTasks(reordered(trace, order)).events);
  const isFromBeginning = order !== cutPoint.reduced || observed === 0;
  const id = idOf(trace, cutPoint);
  return {
    id: `s${id}`,
    cutPoint: `c${id}`,
    steps: [
      ...(isFromBeginning ? [] : [`${AS_OBSERVED}${observed}`]),
      ...stepsOf(trace.names.threads, grants),
    ],
    moves: 0,
    switches: isFromBeginning ? grants.length / 2 - 1 : cutPoint.switches.after,
    stallMs: 0,
  };
}

/**
 * The order that is forced, from the beginning of the trace. Threads with event loops share a time: there it is the one nearest to
 * what was observed, not the one with the fewest switches, in which a thread may be late for no other reason.
 */
function wholeOrderOf(trace: ThreadTrace, cutPoint: ThreadCutPoint): ArrayLike<number> {
  if (!isOfLoops(trace)) return wholeOrder(trace, cutPoint);
  const order = lateTurns(trace, cutPoint.observed > 0 ? wholeOrder(trace, cutPoint) : cutPoint.schedule);
  const anchors = [cutPoint.first, cutPoint.remote, cutPoint.second];
  return wholeEffects(trace, wholeCalls(trace, order, anchors));
}

/** A schedule to be forced, with the events that it must bring about: up to the remote access. */
export function forced(trace: ThreadTrace, cutPoint: ThreadCutPoint): ThreadSchedule {
  return scheduleOfOrder(trace, Array.from(wholeOrderOf(trace, cutPoint)), cutPoint.remote);
}

/** An order of {@link turnedRound}, as a cut point and its schedule. */
export function turnedOrder(trace: ThreadTrace, { schedule, ...told }: TurnedRound) {
  const pattern = 'RRW' as const;
  const entity = trace.names.entities[told.entity]!;
  const cutPoint = cutPointOf(trace, { pattern, first: told.remote, ...told, entity, rank: 0, reasons: [] });
  const order = isOfLoops(trace) ? lateTurns(trace, schedule) : schedule;
  const { deliveries, grants, threads } = scheduleOfOrder(trace, order, told.remote);
  const steps = stepsOf(threads!, grants, deliveries);
  const { id } = cutPoint;
  return { cutPoint, schedule: { ...unplanned, id: `s${id}`, cutPoint: id, steps } };
}

const unplanned = { moves: 0, switches: 0, stallMs: 0 };
