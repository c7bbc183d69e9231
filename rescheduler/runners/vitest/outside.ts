/**
 * What Vitest does in a worker besides the user's code. What it says to its main process is none of the program's doing, but
 * for modules: a program that imports waits for an answer. `vi.waitFor` and `expect.poll` wait for the program in its own
 * time.
 */
import { native } from '../../gate/native.ts';
import { ask, natively } from '../../gate/session.ts';
import type { Vi } from './api.ts';

type OutsideCall = ((...args: unknown[]) => Promise<unknown>) & { asEvent?: unknown };

/** Documented as `workerState` of the runner. */
export interface WorkerState {
  rpc: Record<string, OutsideCall>;
  /** `files`: what the worker runs, one after the other. */
  readonly ctx: { readonly files: unknown[] };
  /** Modules by path, of Vitest before 4; what is mocked under names of its own. */
  readonly moduleCache?: Map<string, unknown>;
  /** What is mocked, in Vitest 1. */
  readonly mockMap?: Map<unknown, unknown>;
  /** What Vite's module runner knows of modules; see {@link forgetSources}. */
  readonly evaluatedModules: { readonly idToModuleMap: ReadonlyMap<string, { meta?: object | undefined }> };
}

/** What modules are made of is asked for again in the next run, as in a process that never asked. */
export function forgetSources({ evaluatedModules }: WorkerState): void {
  for (const module of evaluatedModules.idToModuleMap.values())
    if (module.meta && 'code' in module.meta) module.meta = undefined;
}

/** What Vitest before 4.0.7 does in front of each file of an isolated worker. */
export function forgetModules({ mockMap, moduleCache }: WorkerState, vi: Vi): void {
  vi.restoreAllMocks();
  vi.resetConfig();
  vi.resetModules();
  for (const path of moduleCache?.keys() ?? []) if (path.startsWith('mock:')) moduleCache!.delete(path);
  (globalThis as { __vitest_mocker__?: { reset?(): void } }).__vitest_mocker__?.reset?.();
  mockMap?.clear();
}

/** A call whose answer nobody waits for. */
const LOG = 'onUserConsoleLog';
const known = new WeakSet<object>();

/** Words about the runs of a command, which those of a process that lasts are not. */
const REPORTS: ReadonlySet<string> = new Set([
  ...['onCollected', 'onQueued', 'onTaskUpdate', 'onTestModuleDependencies', 'onAsyncLeaks', 'snapshotSaved'],
  LOG,
]);

/**
 * The calls of a process in which one file is run again and again. What a module is made of is the same each time:
 * sources do not change meanwhile.
 */
export function lastingCalls(state: WorkerState): void {
  const { rpc } = state;
  const answers = new Map<string, Promise<unknown>>();
  const silent: OutsideCall = Object.assign(async () => undefined, { asEvent() {} });
  const fetched: OutsideCall = (...args) => {
    const key = JSON.stringify(args);
    const known = answers.get(key);
    if (known) return known.then(later);
    const answer = Reflect.apply(rpc['fetch']!, rpc, args);
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
    return answer;
  };
  state.rpc = new Proxy(rpc, {
    get(target, name, receiver) {
      if (typeof name === 'string' && REPORTS.has(name)) return silent;
      return name === 'fetch' ? fetched : (Reflect.get(target, name, receiver) as unknown);
    },
  });
}

/** What another process answers never comes at once. */
const later = <T>(answer: T): Promise<T> =>
  new Promise((resolve) => native.setImmediate(() => resolve(answer)));

export function outsideOfGate(state: WorkerState): void {
  if (known.has(state.rpc)) return;
  const rpc = new Proxy(state.rpc, {
    get(target, name, receiver) {
      const call: unknown = Reflect.get(target, name, receiver);
      if (typeof call !== 'function' || typeof name !== 'string' || name.startsWith('$')) return call;
      const start = (args: unknown[]) => {
        const { nextTick } = process;
        try {
          return natively(() => Reflect.apply(call, target, args) as Promise<unknown>);
        } finally {
          // Vitest puts the one back that it has found, in a tick: of two calls at a time the second would find Vitest's own.
          process.nextTick = nextTick;
        }
      };
      const outside: OutsideCall = (...args) =>
        name === LOG ? start(args) : ask(`vitest.${name}`, () => start(args));
      return Object.assign(outside, { asEvent: (call as OutsideCall).asEvent });
    },
  });
  state.rpc = rpc;
  known.add(rpc);
}

const TIMERS = ['setInterval', 'clearTimeout', 'clearInterval'] as const;

/** The time allowed to the test that is being called, while Vitest has not begun to measure it. */
let allowed: number | null = null;

/**
 * Called when the gate is there. What Vitest sets in the name of the program is then in its time; that is native where no
 * test is in the gate.
 */
export function gateWaiting(): void {
  const key = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === 'vitest:SAFE_TIMERS',
  );
  const safe = key && (globalThis as unknown as Record<symbol, Record<string, unknown>>)[key];
  if (!safe) throw new Error('unweave: this version of Vitest keeps its timers in an unknown place');
  for (const name of TIMERS) safe[name] = globalThis[name];
  const { setTimeout } = globalThis;
  safe['setTimeout'] = (fn: () => void, ms?: number) => {
    if (allowed === null || ms !== allowed) return setTimeout(fn, ms);
    // How long a test may take is measured in real time.
    allowed = null;
    return natively(() => setTimeout(fn, ms));
  };
}

/** Calls the function of a test, which measures its time first. */
export function callTest<T>(call: () => T, timeout: number | undefined): T {
  allowed = timeout ?? null;
  try {
    return call();
  } finally {
    allowed = null;
  }
}
