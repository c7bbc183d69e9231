/**
 * Prediction that goes on from what forced orders bring. Code behind a time-out, a retry or a reconnect is in no recorded run, so
 * that nothing is predicted of it: an order that came there and passed is recorded, and what is predicted of that run is forced as well.
 * So is an order that turned a check of the program's own round, and passed: a lock that lets two in shows only where what it guards is
 * interleaved besides, and as long as it holds no order can show that.
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
/** So many orders are recorded; of a deep search so many. */
const MOST_RECORDED = 3;
const MOST_OF_DEEP = 30;
/** So many of what is predicted of one are forced. */
const MOST_FORCED = 30;
/** So many orders in which a check was turned round are recorded, and so many of what is predicted of one are forced. */
const MOST_TURNED = 4;
const MOST_OF_TURNED = 8;
/** So many requests of one order that the observed one does not have are looked at two by two. */
const MOST_PAIRED = 40;

interface Predicted {
  readonly cutPoints: readonly CutPoint[];
  readonly schedules: readonly Schedule[];
}

/** An order that passed, with the requests that the observed one does not have. */
interface Met {
  readonly others: readonly string[];
  readonly steps: readonly string[];
}

/** A predicted order in which a task found something, and another changed it before the first one did; it passed. */
interface Turned {
  readonly schedule: Schedule;
  readonly entity: string;
}

export class Further {
  private readonly predict: (trace: Trace) => Predicted;
  private readonly isDeep: boolean;
  private readonly natural: ReadonlySet<string>;
  /** Requests of recorded runs, by their names, and which of them came together. */
  private readonly known: Set<string>;
  private readonly cutPoints: Set<string>;
  /** By what is not in the observed run. */
  private readonly met = new Map<string, Met>();
  private recorded = 0;
  /** Cut points that were shown, in whatever order. */
  private readonly shown = new Set<string>();
  private readonly turned: Turned[] = [];
  private recordedTurned = 0;

  /**
   * `natural`: the steps of the observed run, of which `cutPoints` were predicted. `isDeep`: what comes together for the first time
   * is something new as well, and what was predicted before is forced beside it.
   */
  constructor(
    predict: (trace: Trace) => Predicted,
    natural: readonly string[],
    cutPoints: Iterable<string>,
    isDeep = false,
  ) {
    this.predict = predict;
    this.isDeep = isDeep;
    this.natural = new Set(natural.map(requestOf));
    this.known = new Set(this.natural);
    this.cutPoints = new Set(cutPoints);
  }

  look({ cutPoint, schedule }: Attempt, { followed, outcome, steps }: RunResult): void {
    if (outcome !== 'pass') return;
    if (cutPoint && followed === 'followed') {
      this.shown.add(cutPoint.id);
      if (cutPoint.pattern === 'RWW') this.turned.push({ schedule, entity: cutPoint.entity });
    }
    const others = this.othersOf(steps.map(requestOf));
    const key = others.toSorted().join('\n');
    if (others.length > 0 && !this.met.has(key)) this.met.set(key, { others, steps });
  }

  /** The order to record next: the one with the most that is new; null: there is none, or enough were recorded. */
  next(): Attempt | null {
    if (this.recorded >= (this.isDeep ? MOST_OF_DEEP : MOST_RECORDED)) return null;
    let best: Met | null = null;
    let most: readonly [number, number] = [0, 0];
    for (const [key, one] of this.met) {
      const names = one.others.filter((name) => !this.known.has(name)).length;
      const pairs = this.isDeep ? pairsOf(one.others).filter((pair) => !this.known.has(pair)).length : 0;
      // Others have recorded all of it.
      if (names + pairs === 0) this.met.delete(key);
      else if (names > most[0] || (names === most[0] && pairs > most[1]))
        [best, most] = [one, [names, pairs]];
    }
    if (!best) return null;
    this.recorded += 1;
    return recording(`${RECORDED}${this.recorded}`, best.steps);
  }

  /** What is predicted of a recorded order and of no other one, best first; of a deep search then what was predicted of others. */
  learn(trace: Trace): Attempt[] {
    const names = trace.requests.map(({ name }) => name);
    for (const name of [...names, ...pairsOf(this.othersOf(names))]) this.known.add(name);
    const { cutPoints, schedules } = this.predict(trace);
    const byId = new Map(cutPoints.map((cutPoint) => [cutPoint.id, cutPoint]));
    const isFresh = ({ cutPoint }: Schedule): boolean => cutPoint !== null && !this.cutPoints.has(cutPoint);
    const fresh = schedules.filter(isFresh).slice(0, MOST_FORCED);
    const again = this.isDeep ? schedules.filter((one) => !isFresh(one)).slice(0, MOST_FORCED) : [];
    for (const { id } of cutPoints) this.cutPoints.add(id);
    const cutPointOf = ({ cutPoint }: Schedule) => byId.get(cutPoint ?? '') ?? null;
    return [
      ...fresh.map((one) => attemptOf(one, cutPointOf(one), FURTHER)),
      ...again.map((one) => attemptOf(one, cutPointOf(one), `${FURTHER}${this.recorded}-`)),
    ];
  }

  /** The next order to record in which a check was turned round, with what to do with its recording; null: enough were. */
  nextTurned(): { readonly order: Attempt; readonly learn: (trace: Trace) => Attempt[] } | null {
    const next = this.recordedTurned < MOST_TURNED ? this.turned[this.recordedTurned] : undefined;
    if (!next) return null;
    this.recordedTurned += 1;
    const nth = `turned-${this.recordedTurned}`;
    const order = recording(`${RECORDED}${nth}`, next.schedule.steps);
    return { order, learn: (trace) => this.ofTurned(trace, next, `${FURTHER}${nth}-`) };
  }

  /** What was shown by no order yet: what the check may be there for first, which is another variable than its own. */
  private ofTurned(trace: Trace, { entity }: Turned, place: string): Attempt[] {
    const { cutPoints, schedules } = this.predict(trace);
    const byId = new Map(cutPoints.map((cutPoint) => [cutPoint.id, cutPoint]));
    const fresh = schedules.flatMap((schedule) => {
      const cutPoint = byId.get(schedule.cutPoint ?? '');
      return cutPoint && !this.shown.has(cutPoint.id) ? [{ schedule, cutPoint }] : [];
    });
    const isOwn = ({ cutPoint }: { cutPoint: CutPoint }): number => Number(cutPoint.entity === entity);
    return fresh
      .sort((a, b) => isOwn(a) - isOwn(b))
      .slice(0, MOST_OF_TURNED)
      .map(({ schedule, cutPoint }) => {
        this.shown.add(cutPoint.id);
        return attemptOf(schedule, cutPoint, place);
      });
  }

  private othersOf(names: readonly string[]): string[] {
    return [...new Set(names)].filter((name) => name !== '' && !this.natural.has(name));
  }
}

function recording(id: string, steps: readonly string[]): Attempt {
  const schedule = unplanned(id, steps);
  const spec = { kind: 'directed', schedule, cutPoint: null } as const;
  return { origin: 'directed', schedule, spec, cutPoint: null, records: true };
}

/** The store knows the cut points of the observed run only, and an order of another one by its place. */
function attemptOf(predicted: Schedule, cutPoint: CutPoint | null, place: string): Attempt {
  const schedule = { ...predicted, id: `${place}${predicted.id}`, cutPoint: null };
  return { origin: 'directed', schedule, spec: { kind: 'directed', schedule, cutPoint }, cutPoint: null };
}

/** What came together. */
function pairsOf(names: readonly string[]): string[] {
  const some = names.slice(0, MOST_PAIRED).toSorted();
  return some.flatMap((one, at) => some.slice(at + 1).map((other) => `${one}\n${other}`));
}
