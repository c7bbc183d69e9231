/**
 * Ends of child processes that nobody waits for yet: who asks for them behind an answer hears of nothing where the child was over before
 * that. No access tells of it. Each order is as observed until the host answers what the program asked for while the child was at work;
 * that answer stays behind until the end of the child has come, however long that takes.
 */
import type { Schedule } from '../data/prediction.ts';
import { deliveryOf, EVERYTHING_ELSE } from '../data/schedule-step.ts';
import { EventKind, type Trace } from '../data/trace.ts';
import { hash } from './cut-point.ts';
import { placesOfSteps } from './timeouts.ts';

const END = 'child_process.exit';
/** Children of which it is tried, and answers of each: the last ones before its end, and the first. */
const MOST_CHILDREN = 4;
const LAST = 2;

export function lateEnds(trace: Trace): Schedule[] {
  const { requests, steps } = trace;
  const { kind, length, object } = trace.events;
  const places = placesOfSteps(trace);
  /** Answers of the pool, in their order: when, and the place of the step. */
  const answers: { readonly event: number; readonly place: number }[] = [];
  const found: Schedule[] = [];
  let step = 0;
  let children = 0;
  for (let event = 0; event < length && children < MOST_CHILDREN; event++) {
    if (kind[event] !== EventKind.Effect && kind[event] !== EventKind.Turn) continue;
    const request = requests[object[event] as number]!;
    const place = places[step++]!;
    if (kind[event] === EventKind.Effect) continue;
    if (request.kind === 'pool') answers.push({ event, place });
    if (request.api !== END) continue;
    // From then on it was at work.
    const meanwhile = answers.filter((answer) => answer.event > request.since);
    const tried = new Set([...meanwhile.slice(-LAST).reverse(), ...meanwhile.slice(0, 1)]);
    for (const each of tried) found.push(order(steps, each.place, request.name));
    if (tried.size > 0) children += 1;
  }
  return found;
}

/** The step at `place` waits for the end of a child and for what that sets off. */
function order(observed: readonly string[], place: number, end: string): Schedule {
  const steps = [...observed.slice(0, place), deliveryOf(end), EVERYTHING_ELSE, observed[place]!];
  return { id: hash(['end', ...steps]), cutPoint: null, steps, moves: 1, switches: 1, stallMs: 0 };
}
