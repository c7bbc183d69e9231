/**
 * Schedules with one preemption: the observed order up to some step, then another thread, and nobody is preempted
 * any more (iterative context bounding, bound one). They show what no single pattern stands for: orders of whole
 * threads, of several entities, deadlocks of two. With two, that other thread is preempted as well: a lock that lets two
 * threads in shows only when both of them are stopped, one at the door and one inside.
 *
 * A preemption matters only before a step that another thread could notice or prevent (CHESS, section 4.4.1): an
 * access to an entity that is shared and written, or any synchronisation.
 */

import { effectsOf } from '../../data/threads/effects.ts';
import { grantsOf, isStep } from '../../data/threads/schedule.ts';
import { contendedEntities } from '../../data/threads/shared.ts';
import { isAccess, Op, type ThreadEvents, type ThreadTrace } from '../../data/threads/trace.ts';

interface PreemptionPlace {
  /** The event of the observed order that does not come yet, and the thread that runs instead. */
  readonly event: number;
  readonly thread: number;
}

export interface Preemption extends PreemptionPlace {
  /** Pairs of thread and steps. */
  readonly grants: readonly number[];
}

/** All of them in the order of their events; evenly chosen ones where there are more than `most`. */
export function* preemptions(trace: ThreadTrace, most: number): Generator<Preemption> {
  const { events } = trace;
  for (const { event, thread } of evenly([...placesOf(trace)], most))
    yield { event, thread, grants: [...grantsOf(before(events, event)), thread, 1] };
}

export interface TwoPreemptions extends PreemptionPlace {
  /** Where the thread that runs instead is preempted as well, and who goes on then. */
  readonly second: PreemptionPlace;
  readonly grants: readonly number[];
}

/** So many places are combined with each other, at most. */
const MOST_PLACES = 300;

/**
 * Those in which a thread is preempted between two accesses of one entity come first, most of all twice; evenly chosen
 * ones of the last kind that does not fit into `most`. How far the second thread comes is counted as it was observed,
 * though it may take another way.
 */
export function* twoPreemptions(trace: ThreadTrace, most: number): Generator<TwoPreemptions> {
  if (most === 0) return;
  const { events, names } = trace;
  const splits = splitting(events);
  const matters = contended(events);
  const needs = earliest(events, names.threads.length);
  const isWithin = withinEffects(trace);
  const all = [...placesOf(trace)];
  const stepsFrom = stepsOfThreads(events);
  const few = all.length <= MOST_PLACES ? all : all.filter(({ event }) => splits(event));
  const kinds: { first: PreemptionPlace; second: PreemptionPlace; steps: number }[][] = [[], [], []];
  for (const first of evenly(few, MOST_PLACES)) {
    /** What has to come before an event is there when `of` has come as far as `until`. */
    const isAble = (event: number, of: number, until: number): boolean => {
      const need = needs(event);
      return need < first.event || (events.thread[need] === of && need < until);
    };
    const next = names.threads.map((_, thread) => stepsFrom(thread, first.event, 1)[0]);
    // One more than places: before its first step this is one preemption.
    const own = stepsFrom(first.thread, first.event, MOST_PLACES + 1);
    for (let steps = 1; steps < own.length; steps++) {
      const event = own[steps]!;
      if (!isAble(own[steps - 1]!, first.thread, event)) break;
      if (!matters(event) || isWithin(event)) continue;
      const kind = kinds[2 - Number(splits(first.event)) - Number(splits(event))]!;
      for (const [thread, following] of next.entries())
        if (thread !== first.thread && following !== undefined && isAble(following, first.thread, event))
          kind.push({ first, second: { event, thread }, steps });
    }
  }
  let left = most;
  for (const kind of kinds) {
    for (const { first, second, steps } of evenly(kind, left)) {
      const grants = [...grantsOf(before(events, first.event)), first.thread, steps, second.thread, 1];
      yield { ...first, second, grants };
    }
    left = Math.max(0, left - kind.length);
  }
}

function* evenly<E>(of: readonly E[], most: number): Generator<E> {
  const count = Math.min(of.length, most);
  for (let i = 0; i < count; i++) yield of[Math.floor((i * of.length) / count)]!;
}

/** The steps of a thread from an event on, at most so many. */
function stepsOfThreads({ length, op, thread }: ThreadEvents) {
  const steps = new Map<number, number[]>();
  for (let event = 0; event < length; event++) {
    if (!isStep(op[event]!)) continue;
    const own = steps.get(thread[event]!);
    if (own) own.push(event);
    else steps.set(thread[event]!, [event]);
  }
  return (of: number, since: number, most: number): number[] => {
    const own = steps.get(of) ?? [];
    let [from, to] = [0, own.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (own[middle]! < since) from = middle + 1;
      else to = middle;
    }
    return own.slice(from, from + most);
  };
}

/** Whether an access is the next one of its thread to a contended entity that the thread accessed before. */
function splitting(events: ThreadEvents): (event: number) => boolean {
  const matters = contended(events);
  const last = new Map<number, number>();
  const found = new Set<number>();
  for (let event = 0; event < events.length; event++) {
    if (!isAccess(events.op[event]!) || !matters(event)) continue;
    const thread = events.thread[event]!;
    if (last.get(thread) === events.object[event]) found.add(event);
    last.set(thread, events.object[event]!);
  }
  return (event) => found.has(event);
}

/** Whether an event is what an effect touches: nobody can come before it. */
function withinEffects(trace: ThreadTrace): (event: number) => boolean {
  const effects = effectsOf(trace);
  return (event) => effects[event]! >= 0 && effects[event] !== event;
}

function* placesOf(trace: ThreadTrace): Generator<PreemptionPlace> {
  const { events } = trace;
  const threads = trace.names.threads.length;
  const isWithin = withinEffects(trace);
  const matters = contended(events);
  const needs = earliest(events, threads);
  const next = new Int32Array(threads).fill(-1);
  const after = new Int32Array(events.length).fill(-1);
  for (let event = events.length - 1; event >= 0; event--) {
    if (!isStep(events.op[event]!)) continue;
    after[event] = next[events.thread[event]!]!;
    next[events.thread[event]!] = event;
  }
  for (let event = 0; event < events.length; event++) {
    const own = events.thread[event]!;
    if (next[own] === event) next[own] = after[event]!;
    if (!matters(event) || isWithin(event)) continue;
    for (let thread = 0; thread < threads; thread++)
      if (thread !== own && next[thread]! > event && needs(next[thread]!) < event) yield { event, thread };
  }
}

/** The event that has to come before another one, as far as that is known; -1: none: its fork, what it receives. */
function earliest({ length, object, op, thread }: ThreadEvents, threads: number): (event: number) => number {
  const forked = new Int32Array(threads).fill(-1);
  const sent = new Map<number, number>();
  const last = new Int32Array(threads).fill(-1);
  const need = new Int32Array(length).fill(-1);
  for (let event = 0; event < length; event++) {
    const [what, of] = [op[event]!, object[event]!];
    const own = thread[event]!;
    if (what === Op.Receive) need[event] = sent.get(of) ?? -1;
    else if (what === Op.Join) need[event] = last[of]!;
    else if (last[own]! < 0) need[event] = forked[own]!;
    if (what === Op.Fork) forked[of] = event;
    else if (what === Op.Send) sent.set(of, event);
    if (isStep(what)) last[own] = event;
  }
  return (event) => need[event]!;
}

/** Whether another thread could notice or prevent an event. */
function contended(events: ThreadEvents): (event: number) => boolean {
  const { object, op } = events;
  const entities = contendedEntities(events);
  return (event) => {
    if (isAccess(op[event]!)) return entities.has(object[event]!);
    return op[event] !== Op.Begin && op[event] !== Op.End;
  };
}

const before = ({ object, op, point, thread }: ThreadEvents, length: number): ThreadEvents => ({
  length,
  object,
  op,
  point,
  thread,
});
