/** Wraps the functions of `node:test`; what each process does with its test cases depends on its job. */
import type nativeTest from 'node:test';
import type { TestContext } from 'node:test';
import { getCallSites } from 'node:util';
import { compileFunction } from 'node:vm';
import { isOurScript } from '../../../monitor/loader/select.ts';
import { leaveChildrenAlone, onlyCase, ownJob } from '../../subjects/job.ts';
import type { BodyRunner, CaseBody, RunningCase } from '../adapter.ts';
import { bodyRunnerOf } from '../body-runner.ts';
import { cleans, watchContext } from '../cleaning.ts';
import { contains, Identities, sameCase } from '../identity.ts';
import { type Any, parseArguments, pathOf, type TestFunction } from './arguments.ts';
import { type Body, bodyAround, bodyOf, inBody } from './bodies.ts';
import { watchPlan } from './counting.ts';

type Native = typeof nativeTest;

const job = ownJob();
const identities = new Identities();
/** Made when tests are asked for: it brings the gate. */
let runner: BodyRunner | null = null;
let shim: Native | null = null;
let registered = false;
/** The only case to run; null: all. */
const target = job && onlyCase(job);

/** `node:test` as the program sees it. */
export function shimOf(native: Native): Native {
  runner ??= job && job.mode !== 'serve' ? bodyRunnerOf(job, 'node-test') : null;
  if (!runner) return native;
  shim ??= wrapped(native);
  return shim;
}

function wrapped(native: Native): Native {
  const test = variants(native, wrapTest);
  const describe = variants(native.describe, wrapSuite);
  const { before, after, beforeEach, afterEach, getTestContext } = native as Any;
  return copyMembers(native, test, {
    before: ofBody(before),
    after: ofBody(cleaning(after)),
    beforeEach: ofBody(beforeEach),
    afterEach: ofBody(cleaning(afterEach)),
    // Early versions of Node 24 have none.
    ...(getTestContext && { getTestContext: ofBody(getTestContext) }),
    test,
    it: test,
    describe,
    suite: describe,
    skip: test.skip,
    todo: test.todo,
    only: test.only,
  }) as Native;
}

/** The program has asked for something of the runner: who only takes mocks from it has no tests. */
export const hasTests = (): boolean => registered;

/** Where the program called the shim. */
const callerSite = () => getCallSites(5).find(({ scriptName }) => !isOurScript(scriptName));

/** A native function that means the test in whose body it is called. */
const ofBody = (native: TestFunction): TestFunction =>
  function (this: unknown, ...args: Any[]) {
    registered = true;
    const around = bodyAround();
    const call = () => Reflect.apply(native, this, args);
    return around ? around.natively(call) : call();
  };

/** A native function by which something happens when a test is over. */
const cleaning = (native: TestFunction): TestFunction =>
  function (this: unknown, ...args: Any[]) {
    cleans();
    return Reflect.apply(native, this, args);
  };

/** What is registered now is a subtest where it is registered in a body: the scope of that body is over. */
function subtestOf(): Body | undefined {
  if (!registered && job) leaveChildrenAlone(job);
  registered = true;
  const around = bodyAround();
  if (around) runner!.subtest(around.running);
  return around;
}

type WrapTest = (native: TestFunction, parent?: string, todo?: boolean) => TestFunction;

/** A registering function with its `.skip`, `.todo`, `.only` and whatever else it carries. */
function variants(native: Any, wrap: WrapTest, parent?: string): Any {
  return copyMembers(native, wrap(native, parent), {
    skip: ofBody(native.skip),
    todo: wrap(native.todo, parent, true),
    only: wrap(native.only, parent),
  });
}

function copyMembers(from: object, to: object, own: object): object {
  const members = { ...Object.getOwnPropertyDescriptors(from), ...Object.getOwnPropertyDescriptors(own) };
  for (const [key, descriptor] of Object.entries(members)) {
    // A sloppy function, as a loader may have made of ours, has `arguments` and `caller` that stay its own.
    if (key === 'length' || Object.getOwnPropertyDescriptor(to, key)?.configurable === false) continue;
    Object.defineProperty(to, key, { ...descriptor, configurable: true });
  }
  return to;
}

/**
 * Calls a native function so that it takes its caller for the caller of the shim: the runner reports where a
 * test was registered.
 */
function callFrom(
  site: NodeJS.CallSite | Any,
  fn: TestFunction,
  self: unknown,
  args: Any[],
  around?: Body,
): unknown {
  if (around) return around.natively(() => callFrom(site, fn, self, args));
  if (!site?.scriptName) return Reflect.apply(fn, self, args);
  const call = compileFunction('return Reflect.apply(fn, self, args)', ['fn', 'self', 'args'], {
    filename: site.scriptName,
    lineOffset: site.lineNumber - 1,
    columnOffset: site.columnNumber - 1 - 'return Reflect.'.length,
  });
  return call(fn, self, args);
}

const isTodo = (options: Any): boolean => options?.todo !== undefined && options.todo !== false;

function wrapTest(native: TestFunction, parent?: string, todo = false): TestFunction {
  return function test(this: unknown, ...args: Any[]) {
    const site = callerSite();
    const { name, options, fn } = parseArguments(args);
    const around = parent === undefined ? subtestOf() : undefined;
    const outer = parent ?? around?.fullName;
    const fullName = identities.fullName(name, outer);
    if (todo || isTodo(options)) identities.todo(fullName);
    if (typeof fn !== 'function') return callFrom(site, native, this, args, around);
    const id = identities.register(pathOf(site?.scriptName ?? ''), fullName);
    // Subtests around the target run as they are: what their parent does later often needs what they did.
    if (target && outer === undefined && !sameCase(id, target) && !contains(fullName, target)) {
      return callFrom(site, native, this, [name, { ...options, skip: true, only: false }, fn]);
    }
    // The body of an outer test of the target runs as it is.
    const gated = target === null || sameCase(id, target);
    const body = withContext(fn, fullName, gated ? (call, running) => runner!.run(id, call, running) : null);
    return callFrom(site, native, this, [name, options ?? {}, body], around);
  };
}

function wrapSuite(native: TestFunction, _parent?: string, todo = false): TestFunction {
  return function suite(this: unknown, ...args: Any[]) {
    const site = callerSite();
    const { name, options, fn } = parseArguments(args);
    const around = subtestOf();
    const fullName = identities.fullName(name, around?.fullName);
    if (todo || isTodo(options)) identities.todo(fullName);
    if (typeof fn !== 'function') return callFrom(site, native, this, args, around);
    if (target && !contains(fullName, target)) {
      return callFrom(site, native, this, [name, { ...options, skip: true, only: false }, fn], around);
    }
    const body = function (this: unknown, ...rest: Any[]) {
      return identities.inSuite(fullName, () => Reflect.apply(fn, this, rest));
    };
    return callFrom(site, native, this, [name, options ?? {}, body], around);
  };
}

type RunBody = (body: CaseBody, running: RunningCase) => Promise<unknown>;

/** The body with subtests wrapped, too; it takes a callback exactly when the user's own does. */
function withContext(fn: TestFunction, fullName: string, run: RunBody | null): TestFunction {
  const prepare = (t: TestContext): RunningCase => {
    watchContext(t);
    const bodyIsOver = watchPlan(t);
    const running: RunningCase = {
      isOver: () => t.signal.aborted,
      isTodo: () => identities.isTodo(fullName),
      // A test of node:test that skips itself goes on to its end.
      isSkipped: () => false,
      bodyIsOver,
    };
    const subtest = variants(t.test, (native) => wrapTest(native, fullName));
    const announced = function (this: unknown, ...args: Any[]) {
      runner!.subtest(running);
      return Reflect.apply(subtest, t, args);
    };
    const called = t.todo;
    Object.defineProperty(t, 'todo', {
      value(...args: Any[]) {
        identities.todo(fullName);
        return Reflect.apply(called, t, args);
      },
      configurable: true,
      writable: true,
    });
    Object.defineProperty(t, 'test', {
      value: copyMembers(subtest, announced, {}),
      configurable: true,
      writable: true,
    });
    return running;
  };
  if (fn.length === 2) {
    return named(fn, function (this: unknown, t: TestContext, done: (error?: unknown) => void) {
      const running = prepare(t);
      const around = bodyOf(running, fullName);
      if (!run) return inBody(around, () => Reflect.apply(fn, this, [t, done]));
      const body = () =>
        new Promise<unknown>((resolve, reject) => {
          const called = (error?: unknown) => (error ? reject(error) : resolve(undefined));
          const early: unknown[][] = [];
          let returning = false;
          const callback = (error?: unknown) => (returning ? called(error) : early.push([error]));
          const returned = inBody(around, () => Reflect.apply(fn, this, [t, callback]));
          returning = true;
          if (returned && typeof returned.then === 'function')
            reject(new TypeError('passed a callback but also returned a Promise'));
          else if (early[0]) called(...early[0]);
        });
      run(body, running).then(() => done(), done);
    });
  }
  return named(fn, function (this: unknown, t: TestContext) {
    const running = prepare(t);
    const around = bodyOf(running, fullName);
    const body = () => inBody(around, () => Reflect.apply(fn, this, [t]));
    return run ? run(body, running) : body();
  });
}

function named(fn: TestFunction, wrapper: TestFunction): TestFunction {
  return Object.defineProperty(wrapper, 'name', { value: fn.name, configurable: true });
}
