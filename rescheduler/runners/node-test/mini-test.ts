/** A small stand-in for the module `node:test` inside a warm worker (see mini-registry). */
import type nativeTest from 'node:test';
import type { Namespace } from '../../../monitor/modules/linker.ts';
import { cleans } from '../cleaning.ts';
import { NeedsRunner } from '../warm-file.ts';
import type { Any, TestFunction } from './arguments.ts';
import { MiniPlan } from './mini-plan.ts';
import { type Collector, HOOKS, Scope } from './mini-registry.ts';

/** Methods of the real module and of its contexts that stay the runner's. */
const REFUSED = ['snapshot', 'waitFor', 'run', 'runOnly'] as const;

/** The module as the program sees it; `collector` gives the collector of the present run. */
export function miniModule(collector: () => Collector, native: typeof nativeTest): Namespace {
  const withVariants = (fn: TestFunction): Any =>
    Object.assign(fn, {
      skip: (...args: Any[]) => fn(...args),
      todo: (...args: Any[]) => fn(...args),
      only: fn,
    });
  const test = withVariants((...args: Any[]) => {
    collector().test(args);
    return Promise.resolve();
  });
  const suite = withVariants((...args: Any[]) => {
    collector().suite(args);
    return Promise.resolve();
  });
  const members: Record<string, unknown> = { test, it: test, suite, describe: suite, mock: native.mock };
  for (const name of HOOKS) members[name] = (...args: Any[]) => collector().hook(name, args);
  for (const name of REFUSED) members[name] = refuse(collector, name);
  members['snapshot'] = new Proxy({}, { get: refuse(collector, 'snapshot') });
  members['assert'] = new Proxy({}, { get: refuse(collector, 'assert') });
  Object.assign(test, members);
  return { ...members, default: test, 'module.exports': test };
}

function refuse(collector: () => Collector, what: string): () => never {
  return () => {
    throw collector().refuse(what);
  };
}

type BodyCaller = (fn: () => unknown) => Promise<unknown>;

/** Runs the collected case; `run` runs the body of the target itself. Throws what a hook or a parent throws. */
export async function runCollected(
  collector: Collector,
  run: BodyCaller,
  native: typeof nativeTest,
): Promise<void> {
  const { found } = collector;
  if (!found) throw new NeedsRunner('the test was not registered again');
  const suites: Scope[] = [];
  for (let scope: Scope | null = found.scope; scope; scope = scope.parent) suites.unshift(scope);
  for (const scope of suites) for (const hook of scope.hooks('before')) await call(hook, [context(null)]);
  await runTest(found);
  for (const scope of suites.reverse())
    for (const hook of scope.hooks('after')) await call(hook, [context(null)]);

  async function runTest({ id, fn, scope }: NonNullable<typeof found>): Promise<void> {
    const own = new Scope(id.name, scope);
    const isTarget = id.name === collector.target.name && id.ordinal === collector.target.ordinal;
    const plan = new MiniPlan();
    const mock = newMock();
    const t = context(own, plan, mock);
    try {
      for (const hook of scope.hooks('beforeEach')) await call(hook, [t]);
      const body = () => {
        const returned = call(fn, [t]);
        returned.then(plan.bodyIsOver, plan.bodyIsOver);
        return returned;
      };
      await (isTarget ? run(body) : body());
      plan.check();
      for (const hook of scope.hooks('afterEach')) await call(hook, [t]);
      for (const hook of own.hooks('after')) await call(hook, [t]);
    } finally {
      mock.reset();
    }
  }

  function newMock(): typeof native.mock {
    return new (native.mock.constructor as new () => typeof native.mock)();
  }

  function context(own: Scope | null, plan = new MiniPlan(), mock = newMock()): Record<string, Any> {
    const { signal } = new AbortController();
    const fullName = own?.fullName ?? '';
    const subtest = async (...args: Any[]): Promise<void> => {
      plan.counted();
      // All subtests of a parent are run: what it does later often needs what they did.
      const inner = own && collector.identify(args, own);
      if (inner && !inner.skipped) await runTest(inner);
    };
    const t: Record<string, Any> = {
      name: fullName.slice(fullName.lastIndexOf(' > ') + 1).replace(/^> /, ''),
      fullName,
      filePath: collector.target.file,
      get signal() {
        cleans();
        return signal;
      },
      assert: plan.assert,
      get mock() {
        cleans();
        return mock;
      },
      test: Object.assign(subtest, { skip: async () => {}, todo: subtest, only: subtest }),
      diagnostic() {},
      log() {},
      skip() {},
      todo() {},
    };
    for (const name of HOOKS) t[name] = (fn: TestFunction) => own?.hook(name, fn);
    // The test has begun: the runner calls it at once.
    t['before'] = (fn: TestFunction) => {
      call(fn, [t]).catch((error: unknown) => collector.refuse(`a hook that throws ${String(error)}`));
    };
    for (const name of REFUSED) t[name] = refuse(() => collector, name);
    t['plan'] = (count: number, options?: { wait?: unknown }) => {
      if (options?.wait) throw collector.refuse('a plan that waits');
      plan.plan(count);
    };
    return t;
  }
}

/** Calls a test or hook as the runner does: with a callback exactly when it takes two parameters. */
function call(fn: TestFunction, args: [Any]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const returned =
      fn.length === 2
        ? Reflect.apply(fn, args[0], [
            ...args,
            (error?: unknown) => (error ? reject(error) : resolve(undefined)),
          ])
        : Reflect.apply(fn, args[0], args);
    if (fn.length !== 2) resolve(returned);
  });
}
