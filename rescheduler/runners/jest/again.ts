/**
 * A file of tests that Jest's own runner, which it has as its option `testRunner`, runs again and again in one realm: with fresh
 * modules, and as if nothing had been registered before.
 */
import { createRequire } from 'node:module';
import type { Serving } from '../serving.ts';
import type { JestEnvironment, JestRuntime, JestState, JestSuite, ProjectConfig } from './api.ts';

type FileRunner = (
  globalConfig: unknown,
  config: ProjectConfig,
  environment: JestEnvironment,
  runtime: JestRuntime,
  path: string,
  ...rest: unknown[]
) => Promise<unknown>;

/** What is known of a file while it is run. */
export interface RerunFile {
  readonly state: JestState | null;
  /** The case that the process was started for is in it. */
  readonly isHere: boolean;
  /** Why it fails beyond the bodies of its tests, in one line; null: it does not. */
  reason(): string | null;
}

/** By the environment of a file. */
export const rerunFiles = new WeakMap<JestEnvironment, RerunFile>();

export const againAndAgain =
  (serving: Serving): FileRunner =>
  async (globalConfig, config, environment, runtime, ...rest) => {
    const { ownRunner = '' } = config;
    const loaded = createRequire(ownRunner)(ownRunner) as FileRunner & { default?: FileRunner };
    const run = () => (loaded.default ?? loaded)(globalConfig, config, environment, runtime, ...rest);
    const first = await run();
    const file = rerunFiles.get(environment);
    const state = file?.state;
    const forget = state && (forgetting(environment, state) ?? unloading(runtime));
    if (!file?.isHere || !forget) {
      serving.leave();
      return first;
    }
    serving.begin();
    for (let failed: string | null = null; ; ) {
      await serving.file.next(failed);
      forget();
      environment.fakeTimers?.useRealTimers();
      environment.fakeTimersModern?.useRealTimers();
      runtime.restoreAllMocks();
      runtime.resetModules();
      runtime.enterTestCode?.();
      try {
        await setUp(config, runtime);
        await run();
        failed = file.reason();
      } catch (error) {
        failed = String(error);
      }
    }
  };

/** What comes before a file, as Jest does it. */
async function setUp({ setupFiles = [] }: ProjectConfig, runtime: JestRuntime): Promise<void> {
  for (const path of setupFiles) {
    if (runtime.unstable_shouldLoadAsEsm(path)) await runtime.unstable_importModule(path);
    else {
      const loaded = runtime.requireModule(path);
      if (typeof loaded === 'function') await loaded();
    }
  }
}

/**
 * Forgets what was registered; null: not with this jest-circus. Those that hear of its events are its own, then what it adds for each
 * run of a file.
 */
function forgetting({ global }: JestEnvironment, state: JestState): (() => void) | null {
  const all = (global as unknown as Record<symbol, Function[] | undefined>)[Symbol.for('EVENT_HANDLERS')];
  const added = all?.findIndex(({ name }, i) => i > 0 && name === all[0]!.name) ?? -1;
  if (added <= 0) return null;
  return () => {
    all!.splice(added);
    forgetTests(state);
  };
}

/** The same by having jest-circus loaded anew: that of Jest 29 keeps what hears of its events to itself. */
function unloading({ _internalModuleRegistry: modules }: JestRuntime): (() => void) | null {
  const own = [...(modules?.keys() ?? [])].filter((path) => CIRCUS.test(path));
  if (own.length === 0) return null;
  return () => {
    for (const path of own) modules!.delete(path);
  };
}

const CIRCUS = /[\\/]node_modules[\\/]jest-circus[\\/]/;

/** As jest-circus begins. */
function forgetTests(state: JestState): void {
  const root: JestSuite = { ...state.rootDescribeBlock, children: [], hooks: [], tests: [], mode: undefined };
  Object.assign(state, {
    rootDescribeBlock: root,
    currentDescribeBlock: root,
    currentlyRunningTest: null,
    describeRetryOptions: new WeakMap(),
    hasFocusedTests: false,
    hasStarted: false,
    processErrorGeneration: 0,
    unhandledErrors: [],
    unhandledRejectionErrorByPromise: new Map(),
  });
}
