/**
 * What a request of the host touches when it takes effect is one step with that: the kernel does it, and nobody comes between.
 * Accesses that follow the step of an effect in its thread are those of the effect: no code runs before the next step.
 */
import { loopStepOf } from '../schedule-step.ts';
import { LOOP_POINT, loopStepIn, threadOfTask } from './tasks.ts';
import { together } from './together.ts';
import { isAccess, Op, type ThreadTrace } from './trace.ts';

/** Of each event: the step of the effect that it belongs to, itself included; -1: it is no part of one that touches something. */
export function effectsOf({ events, names }: ThreadTrace): Int32Array {
  const { length, object, op, point, thread } = events;
  const isEffect = names.channels.map((channel) => {
    const step = loopStepIn(channel);
    return step !== null && loopStepOf(step)?.op === 'effect';
  });
  const real = names.threads.map((name) => names.threads.indexOf(threadOfTask(name)));
  const ofTasks = names.points.indexOf(LOOP_POINT);
  const effects = new Int32Array(length).fill(-1);
  const current = new Int32Array(names.threads.length).fill(-1);
  for (let event = 0; event < length; event++) {
    if (point[event] === ofTasks) continue;
    const own = real[thread[event]!]!;
    if (op[event] === Op.Send && isEffect[object[event]!]) current[own] = event;
    else if (isAccess(op[event]!) && current[own]! >= 0) {
      effects[event] = current[own]!;
      effects[current[own]!] = current[own]!;
    } else current[own] = -1;
  }
  return effects;
}

/** The events of an order with those of each effect behind each other, as late as the first of its accesses. */
export function wholeEffects(trace: ThreadTrace, order: readonly number[]): readonly number[] {
  return together(order, effectsOf(trace), ([first, second], step) =>
    first === step && second !== undefined ? second : first!,
  );
}
