/** The timers between whose starts a process has to stand still for an order, and whether they stand for the latency of operations. */
import type { ReportBug } from '../../data/report.ts';
import { deliveryOf } from '../../data/schedule-step.ts';
import type { Request, Trace } from '../../data/trace.ts';
import { type Overtaking, onlyLooks, overtakings } from '../../predictor/own-timers.ts';
import { taskPath } from '../../predictor/task-name.ts';
import { placeOfStep, whatOfStep } from '../../report/rows.ts';
import type { BothTimers } from './early-sleeps.ts';

export interface Stood {
  readonly latencies: boolean;
  readonly overtaken: readonly Overtaking[];
  /** The delivery that overtook, and the overtaken one. */
  readonly steps: readonly [string, string] | readonly [];
  readonly late: Request | null;
}

/** The step that has to take longer where no process has to stand still. */
export function latencyOf(
  traces: readonly Trace[],
  { latencies, late }: Stood,
  pauseMs: number,
): ReportBug['latency'] {
  if (!latencies || !late || pauseMs <= 0) return null;
  const step = deliveryOf(late.name);
  return {
    timer: whatOfStep(traces, step) ?? '',
    at: placeOfStep(traces, step),
    ms: late.delay,
    tookMs: late.delay + Math.ceil(pauseMs),
  };
}

/** The timers between whose starts the process stood still, and whether all of them are latencies of operations. */
export function stood(
  natural: Trace,
  failing: Trace,
  own: BothTimers,
  interrupted: boolean,
  isYield: (timer: Request) => boolean,
  isPaced: (timer: Request) => boolean,
): Stood {
  const pairs = overtakings(failing, natural);
  const isOwn = ({ name }: Request): boolean => own.failing.names.has(name) || own.natural.names.has(name);
  const acts = (timer: Request): boolean => {
    if (!isOwn(timer)) return true;
    const seen = own.failing.after(timer.name).fired ? own.failing : own.natural;
    return !onlyLooks(timer.name, seen, own.natural, true);
  };
  const areApart = ({ early, late }: Overtaking): boolean =>
    isOwn(early) || isOwn(late) || taskPath(failing, early.activation) !== taskPath(failing, late.activation);
  // A sleep of the body's own takes its time, unless it stands for when an operation begins that comes between others.
  const mayBeLate = (late: Request): boolean => !isPaced(late) && (interrupted || !isOwn(late));
  const isTick = ({ name }: Request): boolean => own.failing.ticks.has(name) || own.natural.ticks.has(name);
  const isLatency = (pair: Overtaking): boolean =>
    ![pair.early, pair.late].some(isTick) &&
    !isYield(pair.late) &&
    mayBeLate(pair.late) &&
    acts(pair.early) &&
    acts(pair.late) &&
    areApart(pair);
  const other = pairs.find((pair) => !isLatency(pair)) ?? pairs[0];
  return {
    latencies: pairs.length > 0 && pairs.every(isLatency),
    overtaken: pairs,
    steps: other ? [deliveryOf(other.early.name), deliveryOf(other.late.name)] : [],
    late: other?.late ?? null,
  };
}
