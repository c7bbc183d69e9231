/** A file of tests while jest-circus runs it: known by the events that it sends to the environment. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { forgivesRejections } from '../../gate/errors.ts';
import {
  type CaseId,
  type EntriesRecord,
  type Job,
  noteAround,
  onlyCase,
  type Recipe,
  writeWhole,
} from '../../subjects/job.ts';
import type { BodyRunner, RunningCase } from '../adapter.ts';
import { Identities, sameCase } from '../identity.ts';
import type { ServedFile } from '../serving.ts';
import {
  type JestEvent,
  type JestMatchers,
  type JestState,
  type JestSuite,
  type JestTest,
  MATCHERS,
} from './api.ts';
import { bodyIn } from './body.ts';
import { formatOutside } from './stacks.ts';

export class TestedFile {
  private readonly path: string;
  private readonly label: string | undefined;
  private readonly bodies: BodyRunner;
  private readonly realm: typeof globalThis;
  private readonly job: Job;
  private readonly recipe: Recipe;
  private readonly served: ServedFile | null;
  state: JestState | null = null;
  /** The target is in it. */
  isHere = false;
  private isFinished = false;
  private isOver = false;
  /** What the file, or what comes before it, threw as it was loaded. */
  private thrown: unknown = null;
  /** How often the body of a test was settled for Jest, which may give it up before. */
  private readonly settled = new WeakMap<JestTest, number>();
  /** Tests whose bodies failed when they were called last. */
  private readonly failed = new WeakSet<JestTest>();

  /** `realm`: the global object of its tests; `served`: it is run again and again. */
  constructor(
    path: string,
    realm: typeof globalThis,
    label: string | undefined,
    bodies: BodyRunner,
    job: Job,
    recipe: Recipe,
    served: ServedFile | null = null,
  ) {
    this.served = served;
    this.realm = realm;
    this.path = path;
    this.label = label;
    this.bodies = bodies;
    this.job = job;
    this.recipe = recipe;
  }

  /** Never throws, and leaves nothing to wait for. */
  hear({ name, test }: JestEvent, state: JestState): void {
    // Where files share a realm, the environments of those before hear what comes of later ones.
    if (this.isOver) return;
    if (name === 'run_start') this.begin(state);
    else if (name === 'run_finish') this.isFinished = true;
    else if (test && (name === 'test_fn_success' || name === 'test_fn_failure'))
      this.settled.set(test, this.timesSettled(test) + 1);
  }

  /** Something was thrown while modules were loaded for the file. */
  threw(error: unknown): void {
    this.thrown ??= error;
  }

  /** Nothing comes any more. */
  over(): void {
    this.isOver = true;
    if (this.job.mode !== 'record') return;
    const why = this.reason();
    const { recipe, path } = this;
    const record: EntriesRecord = { recipe, files: [path], process: noteAround(), why: why ?? '' };
    if (why !== null) writeWhole(join(this.job.out, `${randomUUID()}.entries`), record);
  }

  private begin(state: JestState): void {
    this.state = state;
    this.isFinished = false;
    const { job, served } = this;
    if (job.mode !== 'plain') formatOutside();
    // Jest 29 forgives nothing.
    if (process.listenerCount('rejectionHandled') > 0)
      for (const listener of process.listeners('unhandledRejection')) forgivesRejections(listener);
    const target = onlyCase(job);
    const names = new Identities();
    for (const [test, name] of testsOf(state.rootDescribeBlock, this.label, names)) {
      const id = names.register(this.path, name);
      const wanted = served ? served.target : target;
      this.isHere ||= target !== null && sameCase(id, target);
      if (target && !(wanted && sameCase(id, wanted))) test.mode = 'skip';
      else this.take(test, id);
    }
  }

  private take(test: JestTest, id: CaseId): void {
    const { fn } = test;
    if (typeof fn !== 'function' || isGenerator(fn)) return;
    const watched: BodyRunner = {
      run: (...args) => this.watched(test, this.bodies.run(...args)),
      subtest: () => {},
    };
    test.fn = bodyIn(watched, () => this.running(test), id, fn);
  }

  private async watched(test: JestTest, body: Promise<unknown>): Promise<unknown> {
    this.failed.delete(test);
    try {
      const before = this.noted.length;
      const returned = await body;
      if (this.noted.length > before) this.failed.add(test);
      return returned;
    } catch (error) {
      this.failed.add(test);
      throw error;
    }
  }

  private running(test: JestTest): RunningCase {
    const before = this.timesSettled(test);
    const noted = this.noted.length;
    return {
      isOver: () => this.timesSettled(test) > before,
      // That it fails is what is expected of it.
      isTodo: () => test.failing === true,
      isSkipped: () => false,
      heldAgainst: () => this.noted[noted],
    };
  }

  /** What `expect` has noted and not thrown: matchers of snapshots go on, so that all of them are told. */
  private get noted(): readonly unknown[] {
    const matchers = Reflect.get(this.realm, MATCHERS) as JestMatchers | undefined;
    return matchers?.state.suppressedErrors ?? [];
  }

  private timesSettled(test: JestTest): number {
    return this.settled.get(test) ?? 0;
  }

  /** Why the file fails beyond the bodies of its tests, in one line; null: it does not. */
  reason(): string | null {
    const { state } = this;
    if (!state || !this.isFinished)
      return `it does not load: ${firstLine(this.thrown ?? 'its tests did not run')}`;
    const [unhandled] = state.unhandledErrors;
    if (unhandled !== undefined) return `it fails outside of its test cases: ${firstLine(unhandled)}`;
    for (const [test] of testsOf(state.rootDescribeBlock, undefined, new Identities()))
      if (test.errors.length > 0 && !this.failed.has(test))
        return `'${test.name}' fails outside of its test cases: ${firstLine(test.errors[0])}`;
    return null;
  }
}

/** The error, or the error with the place where its test stands. */
function firstLine(error: unknown): string {
  const [given] = Array.isArray(error) ? (error as unknown[]) : [error];
  const message = (given as { message?: unknown } | null)?.message ?? given;
  return String(message).split('\n', 1)[0]!;
}

const isGenerator = (fn: Function): boolean =>
  Object.prototype.toString.call(fn) === '[object GeneratorFunction]';

/** Tests with their full names, as they were registered. */
function* testsOf(
  suite: JestSuite,
  around: string | undefined,
  names: Identities,
): Generator<[test: JestTest, name: string]> {
  for (const child of suite.children) {
    const name = names.fullName(child.name, around);
    if (child.type === 'test') yield [child, name];
    else yield* testsOf(child, name, names);
  }
}
