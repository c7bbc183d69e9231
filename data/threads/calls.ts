/**
 * What a synchronous call of the host touches is one step: it is done within the call, and other threads come before it or behind
 * it. Its first access stands at the point of the call, the others at a second point of the same place.
 */
import { together } from './together.ts';
import { isAccess, type ThreadTrace } from './trace.ts';

/** Begins the names of entities that calls touch. */
const FILE = 'fs:';

/** Of each event: the first access of the call that it is an access of; -1: it is none, or all of it. */
export function callsOf({ events, names }: ThreadTrace): Int32Array {
  const { length, object, op, point, thread } = events;
  const first = new Map<string, number>();
  const goesOn = names.points.map((place, at) => {
    if (!first.has(place)) first.set(place, at);
    return first.get(place) !== at;
  });
  const calls = new Int32Array(length).fill(-1);
  const last = new Int32Array(names.threads.length).fill(-1);
  for (let event = 0; event < length; event++) {
    if (!isAccess(op[event]!) || !names.entities[object[event]!]!.startsWith(FILE)) continue;
    const own = thread[event]!;
    if (!goesOn[point[event]!]) last[own] = event;
    else if (last[own]! >= 0) {
      calls[event] = last[own]!;
      calls[last[own]!] = last[own]!;
    }
  }
  return calls;
}

/** An order in which nothing comes between the accesses of a call: all are where the first is, or that one of `anchors`. */
export function wholeCalls(
  trace: ThreadTrace,
  order: ArrayLike<number>,
  anchors: readonly number[],
): readonly number[] {
  return together(
    order,
    callsOf(trace),
    (parts) => parts.find((event) => anchors.includes(event)) ?? parts[0]!,
  );
}
