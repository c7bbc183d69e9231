/**
 * Scenarios of worker threads over shared memory: operations that are known one by one, each of which the tool runs in a
 * thread of its own, judged by what serial orders of them give (linearizability; Herlihy and Wing 1990).
 *
 * A file calls {@link threadScenario} at module level; the call only registers. It is loaded in each thread.
 */
import { type Declared, declaredProblem } from './scenario.ts';

/** Where registrations go: an array on `globalThis`, shared by every copy of this module in the process. */
export const THREAD_SCENARIOS: unique symbol = Symbol.for('unweave.thread-scenarios');

export interface ThreadScenarioSpec<M, S> extends Declared<S> {
  /** Makes the shared memory of one execution, as that of a thread harness. Runs on the main thread. */
  readonly memory: () => M;
  /** Builds objects over the memory; runs in every thread before its operations, and on the main thread before `observe`. */
  readonly attach: (memory: M) => S;
}

/** A registered specification. */
export type ThreadScenario<M = any, S = any> = Readonly<ThreadScenarioSpec<M, S>>;

/**
 * Registers a specification and returns it.
 *
 * @example
 * threadScenario({
 *   name: 'queue',
 *   memory: () => new Int32Array(new SharedArrayBuffer(64)),
 *   attach: (words) => new Queue(words),
 *   operations: {
 *     push: { run: (queue, item) => queue.push(item), args: [[1], [2]] },
 *     pop: { run: (queue) => queue.pop() },
 *   },
 *   observe: (queue) => queue.items(),
 * });
 * @throws TypeError with one line that says what is missing.
 */
export function threadScenario<M, S>(spec: ThreadScenarioSpec<M, S>): ThreadScenario<M, S> {
  const registered = threadScenarioRegistrations();
  const problem = problemOf(spec, registered);
  if (problem) throw new TypeError(problem);
  const entry = Object.freeze({ ...spec, operations: Object.freeze({ ...spec.operations }) });
  registered.push(entry);
  return entry;
}

/** The specifications of this process, oldest first. */
export function threadScenarioRegistrations(): ThreadScenario[] {
  const holder = globalThis as { [THREAD_SCENARIOS]?: ThreadScenario[] };
  holder[THREAD_SCENARIOS] ??= [];
  return holder[THREAD_SCENARIOS];
}

function problemOf(spec: ThreadScenarioSpec<any, any>, registered: readonly ThreadScenario[]): string | null {
  if (typeof spec !== 'object' || spec === null)
    return 'threadScenario: expected { name, memory, attach, operations }';
  const problem = declaredProblem('threadScenario', spec, registered);
  if (problem) return problem;
  for (const key of ['memory', 'attach'] as const)
    if (typeof spec[key] !== 'function')
      return `threadScenario '${spec.name}': \`${key}\` must be a function`;
  return null;
}
