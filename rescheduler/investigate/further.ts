/**
 * Prediction that goes on from what forced orders bring. Code behind a time-out, a retry or a reconnect is in no recorded run, so
 * that nothing is predicted of it: an order that came there and passed is recorded, and what is predicted of that run is forced as well.
 */
import type { CutPoint, Schedule } from '../../data/prediction.ts';
import type { RunResult } from '../../data/run.ts';
import { requestOf } from '../../data/schedule-step.ts';
import type { Trace } from '../../data/trace.ts';
import { type Attempt, unplanned } from './attempt.ts';

/** Begins the ids of orders that were predicted so. */
export const FURTHER = 'further-';
/** Begins the ids of those that are recorded for it. */
export const RECORDED = `${FURTHER}run-`;
/** So many orders are recorded. */
const MOST_RECORDED = 3;
/** So many of what is predicted of one are forced. */
const MOST_FORCED = 30;

interface Predicted {
  readonly cutPoints: readonly CutPoint[];
  readonly schedules: readonly Schedule[];
}

export class Further {
  private readonly predict: (trace: Trace) => Predicted;
  /** Requests of recorded runs, by their names. */
  private readonly known: Set<string>;
  private readonly cutPoints: Set<string>;
  /** By the requests that no recorded run has: the order of a run that passed. */
  private readonly met = new Map<
    string,
    { readonly fresh: readonly string[]; readonly steps: readonly string[] }
  >();
  private recorded = 0;

  /** `natural`: the steps of the observed run, of which `cutPoints` were predicted. */
  constructor(predict: (trace: Trace) => Predicted, natural: readonly string[], cutPoints: Iterable<string>) {
    this.predict = predict;
    this.known = new Set(natural.map(requestOf));
    this.cutPoints = new Set(cutPoints);
  }

  look({ outcome, steps }: RunResult): void {
    if (outcome !== 'pass') return;
    const fresh = [...new Set(steps.map(requestOf))].filter((name) => name !== '' && !this.known.has(name));
    const key = fresh.toSorted().join('\n');
    if (fresh.length > 0 && !this.met.has(key)) this.met.set(key, { fresh, steps });
  }

  /** The order to record next: the one with the most that is new; null: there is none, or enough were recorded. */
  next(): Attempt | null {
    if (this.recorded === MOST_RECORDED) return null;
    const isNew = (name: string): boolean => !this.known.has(name);
    const [best] = [...this.met.values()]
      .map(({ fresh, steps }) => ({ steps, count: fresh.filter(isNew).length }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count);
    if (!best) return null;
    this.recorded += 1;
    const schedule = unplanned(`${RECORDED}${this.recorded}`, best.steps);
    const spec = { kind: 'directed', schedule, cutPoint: null } as const;
    return { origin: 'directed', schedule, spec, cutPoint: null, records: true };
  }

  /** What is predicted of a recorded order and of no other one, best first. */
  learn(trace: Trace): Attempt[] {
    for (const { name } of trace.requests) this.known.add(name);
    const { cutPoints, schedules } = this.predict(trace);
    const byId = new Map(cutPoints.map((cutPoint) => [cutPoint.id, cutPoint]));
    const fresh = schedules.filter(({ cutPoint }) => cutPoint !== null && !this.cutPoints.has(cutPoint));
    for (const { id } of cutPoints) this.cutPoints.add(id);
    return fresh.slice(0, MOST_FORCED).map((predicted): Attempt => {
      const cutPoint = byId.get(predicted.cutPoint!)!;
      // The store knows the cut points of the observed run only.
      const schedule = { ...predicted, id: FURTHER + predicted.id, cutPoint: null };
      return { origin: 'directed', schedule, spec: { kind: 'directed', schedule, cutPoint }, cutPoint: null };
    });
  }
}
