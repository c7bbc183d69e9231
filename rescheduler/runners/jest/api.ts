/** What is used of Jest. */
import type { Context } from 'node:vm';

/** One `test`, as the events of jest-circus have it. */
export interface JestTest {
  readonly type: 'test';
  readonly name: string;
  mode?: string | undefined;
  fn?: JestBody;
  readonly failing?: boolean;
  readonly errors: readonly unknown[];
}

export interface JestSuite {
  readonly type: 'describeBlock';
  readonly name: string;
  readonly children: readonly (JestTest | JestSuite)[];
  readonly hooks?: readonly unknown[];
  readonly tests?: readonly unknown[];
  readonly mode?: string | undefined;
}

export type JestBody = (this: unknown, done?: (reason?: unknown) => void) => unknown;

/** What `expect` keeps, which it shares by this key. */
export const MATCHERS = Symbol.for('$$jest-matchers-object');
export interface JestMatchers {
  readonly state: { readonly suppressedErrors?: readonly unknown[] };
}

export interface JestState {
  readonly rootDescribeBlock: JestSuite;
  readonly unhandledErrors: readonly unknown[];
}

export interface JestEvent {
  readonly name: string;
  readonly test?: JestTest;
}

export interface JestEnvironment {
  readonly global: typeof globalThis;
  handleTestEvent?(event: JestEvent, state: JestState): unknown;
  getVmContext(): Context | null;
  readonly fakeTimers?: { useRealTimers(): void } | null;
  readonly fakeTimersModern?: { useRealTimers(): void } | null;
}

/** The configuration of a project. */
export interface ProjectConfig {
  /** Made of where it stands. */
  readonly id?: string;
  readonly rootDir: string;
  readonly runtime?: string;
  readonly displayName?: { readonly name: string };
  readonly sandboxInjectedGlobals?: readonly string[];
  /** Jest 27 calls them, and the runtime, so. */
  readonly extraGlobals?: readonly string[];
  readonly moduleLoader?: string | null;
  /** What we tell of it to the processes that run its tests. */
  readonly unweave?: string;
  readonly setupFiles?: readonly string[];
  /** What runs one file of tests. */
  readonly testRunner?: string;
  /** The same where ours stands in its place. */
  readonly ownRunner?: string;
}

export interface TestContext {
  readonly config: ProjectConfig;
}

/** A file of tests. */
export interface TestFile {
  readonly path: string;
  readonly context: TestContext;
}

export interface Transformed {
  readonly code: string;
  readonly originalCode: string;
  readonly sourceMapPath: string | null;
}

export interface TransformOptions {
  readonly isInternalModule?: boolean;
  readonly supportsStaticESM?: boolean;
}

/** Makes JavaScript of the user's files, by whatever the configuration says, and keeps it. */
export interface ScriptTransformer {
  transform(filename: string, options: TransformOptions, source?: string): Transformed;
  transformAsync(filename: string, options: TransformOptions, source?: string): Promise<Transformed>;
}

export interface JestRuntime {
  /** Modules of Jest's own that are loaded in the realm, by path. Not meant for others: it may be missing. */
  readonly _internalModuleRegistry?: Map<string, unknown>;
  requireModule(from: string, moduleName?: string, ...rest: unknown[]): unknown;
  requireModuleOrMock(from: string, moduleName: string): unknown;
  unstable_importModule(from: string, moduleName?: string): Promise<unknown>;
  unstable_shouldLoadAsEsm(path: string): boolean;
  resetModules(): void;
  restoreAllMocks(): void;
  /** Since Jest 30: from here on modules may be loaded. */
  enterTestCode?(): void;
  teardown(): void;
}

export type RuntimeClass = new (...args: any[]) => JestRuntime;

/** Says in which order the files of tests run. */
export interface Sequencer {
  shard?(tests: TestFile[], options: unknown): TestFile[] | Promise<TestFile[]>;
  sort(tests: TestFile[]): TestFile[] | Promise<TestFile[]>;
  allFailedTests(tests: TestFile[]): TestFile[] | Promise<TestFile[]>;
  cacheResults(tests: TestFile[], results: unknown): void;
}

export type SequencerClass = new (options: { readonly contexts?: readonly TestContext[] }) => Sequencer;

/** The part of `jest-config` that finds a configuration. */
export interface ConfigModule {
  /** Since Jest 29. */
  readInitialOptions?(
    config: string | undefined,
    options: { readonly packageRootOrConfig?: string; readonly skipMultipleConfigError?: boolean },
  ): Promise<{ readonly config: SequencerOptions }>;
  /** Complete: with all that Jest puts in where the user says nothing. */
  readConfig(
    argv: { readonly config?: string | undefined },
    packageRootOrConfig: string,
  ): Promise<{ readonly globalConfig: SequencerOptions }>;
}

export interface SequencerOptions {
  readonly rootDir?: string;
  readonly testSequencer?: string;
}
