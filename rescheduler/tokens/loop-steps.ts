/** What the steps of event loops are called in a trace. */
import { stepName } from '../../data/threads/tasks.ts';
import type { SharedView } from '../../monitor/threads/views.ts';
import type { LoopTold } from './loop-body.ts';
import { FIRST_STEP, stepOf } from './loop-holder.ts';

/** `loops`: by thread. */
export const stepViews = (loops: readonly (LoopTold | null)[]): SharedView[][] =>
  loops.map((loop, thread) =>
    (loop?.words ?? []).map((what, at) => stepView(thread, at, stepName(loop!.steps[at]!, what))),
  );

/** Of the object of an event on a channel. */
export const isStepOfLoop = (object: number): boolean => object <= FIRST_STEP;

function stepView(thread: number, ordinal: number, name: string): SharedView {
  const address = stepOf(thread, ordinal);
  return {
    ...{ address, width: 1, cell: address, stride: 0, length: 1, named: true },
    name,
  };
}
