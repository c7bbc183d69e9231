/**
 * Prediction that goes on from what forced orders bring, for threads. A lock of the program's own that lets two in shows only where
 * what it guards is interleaved as well: as long as the lock holds, as it does in the observed run, no order can show the latter. An
 * order that was predicted, was taken and passed is recorded, and what is predicted of that run is forced as its continuation.
 */
import type { CutPoint, Schedule } from '../../data/prediction.ts';
import type { RunResult } from '../../data/run.ts';
import type { ThreadTrace } from '../../data/threads/trace.ts';
import { type Attempt, unplanned } from '../investigate/attempt.ts';

export interface PredictedOrder {
  readonly cutPoint: CutPoint;
  readonly schedule: Schedule;
}

/**
 * What is predicted of a trace, best first; schedules from its beginning. `fresh`: names of entities that threads share in it for
 * the first time: then accesses to them that came in one order may come in the other one, too.
 */
export type PredictThreads = (trace: ThreadTrace, fresh?: ReadonlySet<string>) => readonly PredictedOrder[];

/** Begins the ids of orders that were predicted so, and of those that are recorded for it. */
const FURTHER = 'further-';
const RECORDED = `${FURTHER}run-`;
/** So many orders are recorded, no two of the same entity, and so many of what is predicted of one are forced. */
const MOST_RECORDED = 3;
const MOST_FORCED = 10;

export class FurtherThreads {
  private readonly predict: PredictThreads;
  /** Cut points that were shown, in whatever order. */
  private readonly shown = new Set<string>();
  /** By the entity, the first order that showed a cut point of it and passed. */
  private readonly passed = new Map<string, PredictedOrder>();
  private recorded = 0;

  constructor(predict: PredictThreads) {
    this.predict = predict;
  }

  look({ cutPoint, schedule }: Attempt, { followed, outcome }: RunResult): void {
    if (!cutPoint || followed !== 'followed' || outcome !== 'pass') return;
    this.shown.add(keyOf(cutPoint));
    if (!this.passed.has(cutPoint.entity)) this.passed.set(cutPoint.entity, { cutPoint, schedule });
  }

  /** The orders to record, of the most promising cut points first. */
  *orders(): Generator<Attempt> {
    for (const { cutPoint, schedule } of [...this.passed.values()].slice(0, MOST_RECORDED))
      yield this.recording(schedule.steps, cutPoint);
  }

  /** An order once more, recorded for {@link learn}. */
  recording(steps: readonly string[], cutPoint: CutPoint | null = null): Attempt {
    this.recorded += 1;
    const schedule = unplanned(`${RECORDED}${this.recorded}`, steps);
    const spec = { kind: 'directed', schedule, cutPoint } as const;
    return { origin: 'directed', schedule, spec, cutPoint: null, records: true };
  }

  /** What is predicted of a recorded order and was not shown by any. */
  learn(trace: ThreadTrace, fresh?: ReadonlySet<string>): Attempt[] {
    const left = this.predict(trace, fresh).filter(({ cutPoint }) => !this.shown.has(keyOf(cutPoint)));
    return left.slice(0, MOST_FORCED).map(({ cutPoint, schedule }): Attempt => {
      this.shown.add(keyOf(cutPoint));
      return forItself(schedule, `${FURTHER}${this.recorded}-${schedule.id}`);
    });
  }
}

/** An order under an id of its own: the store knows only the cut points that were predicted of the observed run by themselves. */
export function forItself(schedule: Schedule, id: string): Attempt {
  const own = { ...schedule, id, cutPoint: null };
  return {
    origin: 'directed',
    schedule: own,
    spec: { kind: 'directed', schedule: own, cutPoint: null },
    cutPoint: null,
  };
}

/** Of whichever run: by names and places. */
const keyOf = ({ pattern, entity, first, remote, second }: CutPoint): string =>
  [pattern, entity, ...[first, remote, second].flatMap(({ task, at }) => [task, at])].join('\n');
