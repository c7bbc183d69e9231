/**
 * The harness API: concurrent tasks on fresh state, and the check that judges the outcome.
 *
 * A harness file calls {@link harness} at module level, once or more. The call only registers; whoever
 * loaded the file (the `unweave` command, a test, `runNaturally`) takes the registrations and runs them.
 * This module imports nothing but its kin, so that a harness can be loaded anywhere.
 */

export * from './scenario.ts';
export * from './thread-scenario.ts';

/** Where registrations go: an array on `globalThis`, shared by every copy of this module in the process. */
export const HARNESSES: unique symbol = Symbol.for('unweave.harnesses');

/** Local, remote, local access: the five triples that no serial order explains. */
export type Pattern = 'RWR' | 'WRW' | 'RWW' | 'WWR' | 'WWW' | 'RRW';

/** What a run is known to contain; tests of the tool compare its findings with this. */
export interface Expectation {
  /** Some feasible order of host answers and timers makes `check` or a task fail, or deadlocks. */
  readonly bug: boolean;
  /** The triple behind the failure, the plainest first where several describe the same defect. */
  readonly pattern?: Pattern | readonly Pattern[];
  /** Name of the entity raced on, exactly: `Account#balance`, `src/a.ts:total`. */
  readonly entity?: string;
  /** Source of a regular expression for the entity, where its exact name is not for the author to know. */
  readonly entityMatch?: string;
  /** The other one of two variables that have to agree; absent: one variable tells it. */
  readonly other?: string;
  /** The failure is a deadlock: then there is no pattern and no entity. */
  readonly deadlock?: boolean;
  /** An order of several entities, or of whole threads: no single pattern stands for it, exploration finds it. */
  readonly order?: boolean;
}

/** What `setup` is given. */
export interface SetupContext {
  /** A fresh, empty directory of this run alone; removed afterwards. */
  readonly dir: string;
}

/** Functions taken, or not taken, as units that must look atomic, by name; comments in the code win. */
export interface Transactions {
  readonly atomic?: readonly string[];
  readonly notAtomic?: readonly string[];
}

/** One concurrent part of a harness. It is a transaction: what it awaits belongs to it. */
export type Task<S> = (state: S) => Promise<unknown>;

export interface HarnessSpec<S> {
  /** Unique within its file. */
  readonly name: string;
  /** Builds fresh state for one run. Runs before the tasks; its own I/O is not reordered. */
  readonly setup: (context: SetupContext) => S | Promise<S>;
  /** Started together in the order written. A rejection is a failure of the run. */
  readonly tasks: Readonly<Record<string, Task<S>>>;
  /** Throws when the outcome is wrong. Runs after all tasks have ended; its own I/O is not reordered. */
  readonly check: (state: S) => unknown;
  readonly expect?: Expectation;
  readonly transactions?: Transactions;
}

/** A registered harness. */
export type Harness<S = any> = Readonly<HarnessSpec<S>>;

/**
 * Registers a harness and returns it.
 *
 * @example
 * harness({
 *   name: 'two deposits',
 *   setup: ({ dir }) => new Account(dir, 100),
 *   tasks: { first: (account) => account.deposit(10), second: (account) => sleep(10).then(() => account.deposit(20)) },
 *   check: (account) => assert.equal(account.balance, 130),
 * });
 * @throws TypeError with one line that says what is missing.
 */
export function harness<S>(spec: HarnessSpec<S>): Harness<S> {
  const registered = registrations();
  const problem = problemOf(spec, registered);
  if (problem) throw new TypeError(problem);
  const entry = Object.freeze({ ...spec, tasks: Object.freeze({ ...spec.tasks }) });
  registered.push(entry);
  return entry;
}

/** The registrations of this process, oldest first; a loader empties or replaces the array between files. */
export function registrations(): Harness[] {
  const holder = globalThis as { [HARNESSES]?: Harness[] };
  holder[HARNESSES] ??= [];
  return holder[HARNESSES];
}

/** Where thread harnesses are registered, alike. */
export const THREAD_HARNESSES: unique symbol = Symbol.for('unweave.thread-harnesses');

export interface ThreadHarnessSpec<M, S> {
  /** Unique within its file. */
  readonly name: string;
  /**
   * Makes the shared memory of one run: anything that can be cloned, with SharedArrayBuffers and views of them in
   * it. Runs once per execution, on the main thread.
   */
  readonly memory: () => M;
  /** Builds objects over the memory; runs in every thread before its body, and on the main thread before `check`. */
  readonly attach: (memory: M) => S;
  /** Each runs in a worker thread of its own; all start together. A throw is a failure of the run. */
  readonly threads: Readonly<Record<string, (state: S) => unknown>>;
  /** Throws when the outcome is wrong. Runs on the main thread after all threads have ended. */
  readonly check: (state: S) => unknown;
  readonly expect?: Expectation;
  readonly transactions?: Transactions;
}

/** A registered harness of threads. */
export type ThreadHarness<M = any, S = any> = Readonly<ThreadHarnessSpec<M, S>>;

/**
 * Registers a harness of worker threads over shared memory and returns it.
 *
 * @example
 * threadHarness({
 *   name: 'two deposits',
 *   memory: () => new Int32Array(new SharedArrayBuffer(4)),
 *   attach: (balance) => new Account(balance),
 *   threads: { first: (account) => account.deposit(10), second: (account) => account.deposit(20) },
 *   check: (account) => assert.equal(account.balance, 30),
 * });
 * @throws TypeError with one line that says what is missing.
 */
export function threadHarness<M, S>(spec: ThreadHarnessSpec<M, S>): ThreadHarness<M, S> {
  const registered = threadRegistrations();
  const problem = threadProblemOf(spec, registered);
  if (problem) throw new TypeError(problem);
  const entry = Object.freeze({ ...spec, threads: Object.freeze({ ...spec.threads }) });
  registered.push(entry);
  return entry;
}

/** The thread harnesses of this process, oldest first. */
export function threadRegistrations(): ThreadHarness[] {
  const holder = globalThis as { [THREAD_HARNESSES]?: ThreadHarness[] };
  holder[THREAD_HARNESSES] ??= [];
  return holder[THREAD_HARNESSES];
}

function threadProblemOf(
  spec: ThreadHarnessSpec<any, any>,
  registered: readonly ThreadHarness[],
): string | null {
  if (typeof spec !== 'object' || spec === null)
    return 'threadHarness: expected { name, memory, attach, threads, check }';
  const { name, threads, expect } = spec;
  if (typeof name !== 'string' || name === '') return 'threadHarness: `name` must be a non-empty string';
  const of = `threadHarness '${name}'`;
  if (registered.some((other) => other.name === name)) return `${of}: the name is used twice in one file`;
  for (const key of ['memory', 'attach', 'check'] as const)
    if (typeof spec[key] !== 'function') return `${of}: \`${key}\` must be a function`;
  if (typeof threads !== 'object' || threads === null || Object.keys(threads).length === 0)
    return `${of}: no threads; \`threads\` must name at least one function`;
  for (const [thread, body] of Object.entries(threads))
    if (typeof body !== 'function') return `${of}: thread '${thread}' is not a function`;
  return expectProblem(of, expect);
}

function expectProblem(of: string, expect: Expectation | undefined): string | null {
  return expect !== undefined && typeof expect?.bug !== 'boolean'
    ? `${of}: \`expect\` must say \`bug: true\` or \`bug: false\``
    : null;
}

function problemOf(spec: HarnessSpec<any>, registered: readonly Harness[]): string | null {
  if (typeof spec !== 'object' || spec === null) return 'harness: expected { name, setup, tasks, check }';
  const { name, setup, tasks, check, expect } = spec;
  if (typeof name !== 'string' || name === '') return 'harness: `name` must be a non-empty string';
  const of = `harness '${name}'`;
  if (registered.some((other) => other.name === name)) return `${of}: the name is used twice in one file`;
  if (typeof setup !== 'function') return `${of}: \`setup\` must be a function that returns fresh state`;
  if (typeof tasks !== 'object' || tasks === null || Object.keys(tasks).length === 0)
    return `${of}: no tasks; \`tasks\` must name at least one async function`;
  for (const [task, body] of Object.entries(tasks))
    if (typeof body !== 'function') return `${of}: task '${task}' is not a function`;
  if (typeof check !== 'function')
    return `${of}: \`check\` must be a function that throws on a wrong outcome`;
  return expectProblem(of, expect);
}
