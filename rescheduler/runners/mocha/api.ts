/** What is used of Mocha: documented, but for `unhandled`, which is only looked at. */

/** One `it`, or a hook. */
export interface MochaRunnable {
  readonly type: 'test' | 'hook';
  readonly title: string;
  readonly file?: string;
  readonly parent?: MochaSuite;
  fn?: MochaBody;
  /** The body takes a callback. */
  readonly async: boolean | number;
  readonly timedOut?: boolean;
  readonly pending?: boolean;
  /** How it ended; absent: it did not. */
  readonly state?: string;
  /** Since Mocha 2.5; before, {@link pending} says it all. */
  isPending?(): boolean;
  /** How long it may take, ms; changed by an argument. */
  timeout(...args: unknown[]): unknown;
  run(done: (error?: unknown) => void): void;
  /** Of a retry: the test that it repeats. */
  retriedTest?(): MochaRunnable | undefined;
}

export type MochaBody = (this: unknown, done?: (...args: unknown[]) => void) => unknown;

export interface MochaSuite {
  readonly root: boolean;
  readonly title: string;
  readonly parent?: MochaSuite;
  tests: MochaRunnable[];
  suites: MochaSuite[];
  /** How many tests are in it and below. */
  total(): number;
  eachTest(visit: (test: MochaRunnable) => void): unknown;
  emit(event: string, ...args: unknown[]): boolean;
  on(event: 'pre-require' | 'post-require', hear: (globals: unknown, file: string) => void): unknown;
}

export interface MochaRunner {
  readonly suite: MochaSuite;
  /** How many tests there were at first. */
  readonly total: number;
  readonly failures: number;
  /** Its listener for rejections that nobody handles; early versions have none. */
  readonly unhandled?: (reason: unknown, promise: unknown) => void;
  asyncOnly?: boolean | undefined;
  run(...args: unknown[]): unknown;
  on(event: 'fail', hear: (failed: MochaRunnable, error: unknown) => void): unknown;
  dispose?(): void;
}

/** One `new Mocha()`. */
export interface MochaInstance {
  /** The root of all suites. */
  readonly suite: MochaSuite;
  readonly options: { readonly delay?: boolean; readonly asyncOnly?: boolean };
  run(done?: (failures: number) => void): unknown;
  /** Chooses an interface; the constructor does, too. */
  ui(...args: unknown[]): unknown;
  parallelMode?(enable?: boolean): unknown;
}

export interface MochaClass {
  readonly prototype: MochaInstance;
  readonly Runner: { new (suite: MochaSuite): MochaRunner; readonly prototype: MochaRunner };
  readonly Runnable: { readonly prototype: MochaRunnable };
}
