/** Schedules of threads: who takes how many steps, and how stores and reports spell it. */
import { spellThread, threadStepOf } from '../schedule-step.ts';
import { wholeCalls } from './calls.ts';
import { wholeEffects } from './effects.ts';
import { deliveriesIn, withoutTasks } from './tasks.ts';
import { Op, reordered, type ThreadEvents, type ThreadTrace } from './trace.ts';

/** Who takes how many steps, in order; then nobody is preempted any more. */
export interface ThreadSchedule {
  /** Pairs: thread, steps. */
  readonly grants: readonly number[];
  /** The events that this is to bring about, up to where the program may go on as it likes; null: any. */
  readonly expected: ThreadTrace | null;
  /** Names of the threads by their numbers, where it is the program that starts them. */
  readonly threads?: readonly string[];
  /** By thread, the order in which its event loop takes its steps; then, and where absent, as observed. */
  readonly deliveries?: Deliveries;
}

/** By thread, steps of its event loop in their order, by name. */
export type Deliveries = readonly (readonly string[])[];

/** Events that no scheduling point precedes belong to the step before or after them. */
export const isStep = (op: number): boolean => op !== Op.Begin && op !== Op.End;

/** The events in their order as grants: pairs of thread and steps. */
export function grantsOf({ length, op, thread }: ThreadEvents): number[] {
  const grants: number[] = [];
  for (let i = 0; i < length; i++) addStep(grants, op[i]!, thread[i]!);
  return grants;
}

/** One more event of that kind, by that thread. */
export function addStep(grants: number[], op: number, thread: number): void {
  if (!isStep(op)) return;
  if (grants.length > 0 && grants.at(-2) === thread) grants[grants.length - 1]! += 1;
  else grants.push(thread, 1);
}

/** A schedule as steps with names: `alice 4`, `bob 2`; the steps of event loops stand behind them. */
export function stepsOf(
  threads: readonly string[],
  grants: readonly number[],
  deliveries: Deliveries = [],
): string[] {
  const steps: string[] = [];
  for (let i = 0; i < grants.length; i += 2)
    steps.push(spellThread({ thread: threads[grants[i]!]!, count: grants[i + 1]! }));
  return [
    ...steps,
    ...deliveries.flatMap((of, thread) => of.map((step) => spellThread({ thread: threads[thread]!, step }))),
  ];
}

/** The schedule that {@link stepsOf} spelt. */
export function scheduleOfSteps(threads: readonly string[], steps: readonly string[]): ThreadSchedule {
  const grants: number[] = [];
  const deliveries = threads.map((): string[] => []);
  let isOfLoops = false;
  for (const { thread, count, step } of steps.map(threadStepOf)) {
    const number = threads.indexOf(thread);
    if (step === undefined) grants.push(number, count);
    else {
      isOfLoops = true;
      deliveries[number]?.push(step);
    }
  }
  return { grants, expected: null, threads, ...(isOfLoops && { deliveries }) };
}

/** The events of a trace in another order, as a schedule that is followed if it brings about those up to `until`. */
export function scheduleOfOrder(trace: ThreadTrace, asked: readonly number[], until: number): ThreadSchedule {
  const order = wholeEffects(trace, wholeCalls(trace, asked, [until]));
  const whole = reordered(trace, order);
  const deliveries = deliveriesIn(whole);
  return {
    grants: grantsOf(withoutTasks(whole).events),
    threads: trace.names.threads,
    expected: withoutTasks(reordered(trace, order.slice(0, order.indexOf(until) + 1))),
    ...(deliveries.some((of) => of.length > 0) && { deliveries }),
  };
}
