/**
 * Time-outs that were set and cleared, or fired when nobody waited for them any more (the loser of a race): nothing is
 * known of what they would have done, so no triple names them, and yet they are made to go off. Each order is as
 * observed until the host would answer; that answer stays behind until one of the time-outs that were set last, and not
 * cleared by then, has fired, and with it all timers that are due before. What else would answer meanwhile is as late:
 * two answers that are late behind the same time-out are one order.
 */
import { DEFAULT_LOOP } from '../data/feasibility/rules.ts';
import type { Schedule } from '../data/prediction.ts';
import { isClockOfFetch } from '../data/runtime-timers.ts';
import { deliveryOf, EVERYTHING_ELSE, loopStepOf } from '../data/schedule-step.ts';
import { EventKind, type Request, type Trace } from '../data/trace.ts';
import { hash } from './cut-point.ts';

/** For each answer so many time-outs are tried. */
const LATEST = 2;
/** Orders for one test: of answers of the pool, then of others, for each time-out before. */
const MOST = 10;

/** A timer that is still to come, and the turn that set it. */
interface SetTimer {
  readonly timer: Request;
  readonly turn: number;
}

/** @param maxStallMs The longest delay of an answer, ms: what fires later needs more. */
export function timeouts(trace: Trace, maxStallMs: number = DEFAULT_LOOP.maxStallMs): Schedule[] {
  const { kind, object, length } = trace.events;
  const request = (event: number): Request => trace.requests[object[event] as number]!;
  const wanted = heard(trace);
  let set: SetTimer[] = [];
  let turn = 0;
  const isTimeOut = ({ timer }: SetTimer): boolean => !wanted.has(timer.id);
  const seen = new Set<number>();
  const found = new Map<string, (() => Schedule)[]>();
  const places = placesOfSteps(trace);
  let steps = 0;
  for (let event = 0; event < length; event++) {
    if (kind[event] === EventKind.Issue) {
      const timer = request(event);
      if (timer.kind !== 'timer' || timer.delay > maxStallMs || isClockOfFetch(timer)) continue;
      set.push({ timer, turn });
    }
    if (kind[event] !== EventKind.Effect && kind[event] !== EventKind.Turn) continue;
    const { id, kind: of } = request(event);
    if ((of === 'pool' || of === 'external') && !seen.has(id)) {
      const toCome = set.filter(({ timer: { takenBack } }) => takenBack < 0 || takenBack > event);
      set = toCome;
      const place = places[steps]!;
      for (const [nth, last] of toCome.filter(isTimeOut).reverse().slice(0, LATEST).entries()) {
        // Answers of the pool wait for nobody: they are late most often.
        const key = of === 'pool' ? `0 ${nth}` : `1 ${nth}`;
        const orders = found.get(key) ?? [];
        orders.push(() => order(trace.steps, place, dueUntil(last, toCome)));
        found.set(key, orders);
      }
    }
    if (kind[event] === EventKind.Turn) {
      turn += 1;
      set = set.filter(({ timer }) => timer.id !== id);
    }
    seen.add(id);
    steps += 1;
  }
  return [...found.keys()].sort().flatMap((key) => evenly(found.get(key)!).map((make) => make()));
}

/** Requests whose answer the program went on with. */
function heard({ events: { kind, object, length } }: Trace): Set<number> {
  const found = new Set<number>();
  let turn = -1;
  for (let event = 0; event < length; event++)
    if (kind[event] === EventKind.Turn) turn = object[event] as number;
    // What the host does next is no part of the turn.
    else if (kind[event] === EventKind.Effect) turn = -1;
    else if (turn >= 0) found.add(turn);
  return found;
}

/**
 * The timer, and before it those that are due earlier for sure, and in this order: they were set earlier for as long, or in the same
 * turn for no longer. Others go off where they are due.
 */
function dueUntil(last: SetTimer, toCome: readonly SetTimer[]): Request[] {
  const { delay } = last.timer;
  const earlier = toCome
    .slice(0, toCome.indexOf(last))
    .filter(({ timer, turn }) => timer.delay === delay || (turn === last.turn && timer.delay < delay));
  return [...earlier, last].map(({ timer }) => timer).sort((a, b) => a.delay - b.delay);
}

/** At most {@link MOST}. */
function evenly<T>(all: readonly T[]): T[] {
  const every = Math.ceil(all.length / MOST);
  return all.filter((_, nth) => nth % every === 0);
}

/** The step at `place` waits for the timers and for what these set off. */
function order(observed: readonly string[], place: number, timers: readonly Request[]): Schedule {
  const goOff = timers.map(({ name }) => deliveryOf(name));
  const steps = [...observed.slice(0, place), ...goOff, EVERYTHING_ELSE, observed[place]!];
  const stallMs = timers.at(-1)!.delay;
  return { id: hash(['time-out', ...steps]), cutPoint: null, steps, moves: 1, switches: 1, stallMs };
}

/** A step that the trace has an event of its own for. */
function isEvent(step: string): boolean {
  const { op, inTurn } = loopStepOf(step) ?? { op: 'release', inTurn: null };
  return op !== 'release' && inTurn === null;
}

/** Where each effect and delivery stands in the order: it may have steps that are no events. */
export function placesOfSteps({ steps }: Trace): number[] {
  return steps.flatMap((step, at) => (isEvent(step) ? [at] : []));
}
