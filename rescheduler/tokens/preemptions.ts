/**
 * Schedules with one preemption: the observed order up to some step, then another thread, and nobody is preempted
 * any more (iterative context bounding, bound one). They show what no single pattern stands for: orders of whole
 * threads, of several entities, deadlocks of two.
 *
 * A preemption matters only before a step that another thread could notice or prevent (CHESS, section 4.4.1): an
 * access to an entity that is shared and written, or any synchronisation.
 */
import { isAccess, Op, type ThreadEvents, type ThreadTrace } from '../../data/threads/trace.ts';
import { grantsOf } from './follow.ts';

export interface Preemption {
  /** The event of the observed order that does not come yet, and the thread that runs instead. */
  readonly event: number;
  readonly thread: number;
  /** Pairs of thread and steps. */
  readonly grants: readonly number[];
}

/** All of them in the order of their events; evenly chosen ones where there are more than `most`. */
export function* preemptions({ events, names }: ThreadTrace, most: number): Generator<Preemption> {
  const places = [...placesOf(events, names.threads.length)];
  const every = Math.max(1, places.length / most);
  for (let next = 0; next < places.length; next += every) {
    const { event, thread } = places[Math.floor(next)]!;
    yield { event, thread, grants: [...grantsOf(before(events, event)), thread, 1] };
  }
}

function* placesOf(events: ThreadEvents, threads: number): Generator<{ event: number; thread: number }> {
  const matters = contended(events);
  const lastOf = new Int32Array(threads).fill(-1);
  for (let event = 0; event < events.length; event++) lastOf[events.thread[event]!] = event;
  for (let event = 0; event < events.length; event++) {
    if (!matters(event)) continue;
    for (let thread = 0; thread < threads; thread++)
      if (thread !== events.thread[event] && lastOf[thread]! > event) yield { event, thread };
  }
}

/** Whether another thread could notice or prevent an event. */
function contended({ length, object, op, thread }: ThreadEvents): (event: number) => boolean {
  const accessor = new Map<number, number>();
  const written = new Set<number>();
  const shared = new Set<number>();
  for (let event = 0; event < length; event++) {
    if (!isAccess(op[event]!)) continue;
    const entity = object[event]!;
    if (op[event] === Op.Write) written.add(entity);
    const first = accessor.get(entity);
    if (first === undefined) accessor.set(entity, thread[event]!);
    else if (first !== thread[event]) shared.add(entity);
  }
  return (event) => {
    if (isAccess(op[event]!)) return shared.has(object[event]!) && written.has(object[event]!);
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
