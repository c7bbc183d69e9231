/**
 * The scenario API: operations that are known one by one, which the tool overlaps on fresh state and judges by what serial
 * orders of them give (Line-Up, PLDI 2010). Nothing else has to be written: no concurrent test, no expected value.
 *
 * A file calls {@link scenario} at module level; the call only registers. This module imports nothing.
 */

/** Where registrations go: an array on `globalThis`, shared by every copy of this module in the process. */
export const SCENARIOS: unique symbol = Symbol.for('unweave.scenarios');

/** What makes arguments: an arbitrary of fast-check, which has to be installed where the file is. */
export interface ArbitraryLike<A> {
  generate(...how: never[]): { readonly value: A };
}

/** How one operation of an outcome ended. */
export type Result =
  | { readonly value: unknown }
  /** An error's `{ code }`, or else its `{ name, message }`, with `#` for numbers. */
  | { readonly rejects: unknown }
  | 'never settled';

/** What came of the operations of one execution, in the order in which they are written, and what `observe` saw then. */
export interface Outcome {
  readonly results: readonly Result[];
  readonly then: unknown;
}

/** One operation of the code under test. */
export interface Operation<S, A extends readonly unknown[] = any> {
  /** Carries it out. It may return a promise; a rejection is a result like any other. */
  run(state: S, ...args: A): unknown;
  /** Lists of arguments, or an arbitrary that makes such lists; the first argument is taken for the key. By default none. */
  readonly args?: readonly A[] | ArbitraryLike<A>;
  /** It changes nothing: two of these never overlap, and they are what is looked at afterwards where `observe` is missing. */
  readonly reads?: boolean;
  /** Nothing may follow it, as `close` or `end`: it is called once, behind all that its task does. */
  readonly last?: boolean;
  /** Operations with the same word never overlap: the component does not promise that they may. */
  readonly alone?: string;
  /** Codes or names of errors, or what tells them: an operation that is refused so is as if it had not been called. */
  readonly refuses?: readonly string[] | ((error: unknown) => boolean);
  /** What of its result counts: all of it, nothing, or what this makes of it. */
  readonly result?: 'compare' | 'ignore' | ((value: any) => unknown);
}

/** What is declared of a component, whatever its state is made of. */
export interface Declared<S> {
  /** Unique within its file. */
  readonly name: string;
  readonly operations: Readonly<Record<string, Operation<S>>>;
  /** What is looked at when all operations have ended and nothing is under way; by default the results of all `reads`. */
  readonly observe?: (state: S) => unknown;
  /**
   * Which serial orders count. `real-time`, the default: those in which what had ended comes before what began then;
   * `issued`: those in which operations that change something come as they were called; `program`: all.
   */
  readonly order?: 'real-time' | 'issued' | 'program';
  /** Parts of an outcome that may be anything: `then.updatedAt`, `results.*.value.id`. What differs by itself is found. */
  readonly mask?: readonly string[];
  /** A reason why an outcome that no serial order gives is as it should be; it is reported. */
  readonly allow?: (outcome: Outcome) => string | false;
  /** At most so many pairs; 60 by default. */
  readonly scenarios?: number;
  /** For arguments that an arbitrary makes. */
  readonly seed?: number;
}

export interface ScenarioSpec<S> extends Declared<S> {
  /** Builds fresh state for one execution; its own I/O is not reordered. `dir`: a fresh, empty directory. */
  readonly setup: (context: { readonly dir: string }) => S | Promise<S>;
  /** Runs behind everything, whatever came of it. */
  readonly teardown?: (state: S) => unknown;
}

/** A registered specification. */
export type Scenario<S = any> = Readonly<ScenarioSpec<S>>;

/**
 * Registers a specification and returns it.
 *
 * @example
 * scenario({
 *   name: 'sessions',
 *   setup: ({ dir }) => new FileStore(dir),
 *   operations: {
 *     set: { run: (store, id, value) => store.set(id, value), args: [['a', 1], ['a', 2], ['b', 1]] },
 *     touch: { run: (store, id) => store.touch(id), args: [['a'], ['b']] },
 *     get: { run: (store, id) => store.get(id), args: [['a'], ['b']], reads: true },
 *   },
 * });
 * @throws TypeError with one line that says what is missing.
 */
export function scenario<S>(spec: ScenarioSpec<S>): Scenario<S> {
  const registered = scenarioRegistrations();
  const problem = problemOf(spec, registered);
  if (problem) throw new TypeError(problem);
  const entry = Object.freeze({ ...spec, operations: Object.freeze({ ...spec.operations }) });
  registered.push(entry);
  return entry;
}

/** The specifications of this process, oldest first. */
export function scenarioRegistrations(): Scenario[] {
  const holder = globalThis as { [SCENARIOS]?: Scenario[] };
  holder[SCENARIOS] ??= [];
  return holder[SCENARIOS];
}

const ORDERS: readonly unknown[] = [undefined, 'real-time', 'issued', 'program'];

function problemOf(spec: ScenarioSpec<any>, registered: readonly Scenario[]): string | null {
  if (typeof spec !== 'object' || spec === null) return 'scenario: expected { name, setup, operations }';
  const { setup, teardown } = spec;
  const of = `scenario '${spec.name}'`;
  const problem = declaredProblem('scenario', spec, registered);
  if (problem) return problem;
  if (typeof setup !== 'function') return `${of}: \`setup\` must be a function that returns fresh state`;
  return teardown !== undefined && typeof teardown !== 'function'
    ? `${of}: \`teardown\` must be a function`
    : null;
}

/** What is wrong with it; `kind` is what the user called. */
export function declaredProblem(
  kind: string,
  spec: Declared<any>,
  registered: readonly Declared<any>[],
): string | null {
  const { name, operations, order, scenarios } = spec;
  if (typeof name !== 'string' || name === '') return `${kind}: \`name\` must be a non-empty string`;
  const of = `${kind} '${name}'`;
  if (registered.some((other) => other.name === name)) return `${of}: the name is used twice in one file`;
  for (const key of ['observe', 'allow'] as const)
    if (spec[key] !== undefined && typeof spec[key] !== 'function')
      return `${of}: \`${key}\` must be a function`;
  if (!ORDERS.includes(order)) return `${of}: \`order\` must be 'real-time', 'issued' or 'program'`;
  if (scenarios !== undefined && !(Number.isInteger(scenarios) && scenarios > 0))
    return `${of}: \`scenarios\` must be a positive number`;
  if (typeof operations !== 'object' || operations === null || Object.keys(operations).length === 0)
    return `${of}: no operations; \`operations\` must name at least one`;
  for (const [key, operation] of Object.entries(operations)) {
    const problem = operationProblem(operation);
    if (problem) return `${of}: operation '${key}': ${problem}`;
  }
  if (Object.values(operations).every(({ reads }) => reads))
    return `${of}: all operations are \`reads\`, which never overlap`;
  return null;
}

function operationProblem({ run, args, refuses }: Operation<any>): string | null {
  if (typeof run !== 'function') return '`run` must be a function';
  const isList = Array.isArray(args) && args.length > 0 && args.every((list) => Array.isArray(list));
  if (args !== undefined && !isList && typeof (args as ArbitraryLike<any>).generate !== 'function')
    return '`args` must be a list of lists of arguments, or an arbitrary of fast-check';
  if (refuses !== undefined && typeof refuses !== 'function' && !Array.isArray(refuses))
    return '`refuses` must be a list of codes or names, or a function';
  return null;
}
