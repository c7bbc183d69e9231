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
  isPending(): boolean;
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
}

export interface MochaRunner {
  readonly suite: MochaSuite;
  /** How many tests there were at first. */
  readonly total: number;
  readonly failures: number;
  /** Its listener for rejections that nobody handles; early versions have none. */
  readonly unhandled?: (reason: unknown, promise: unknown) => void;
  run(...args: unknown[]): unknown;
}

export interface MochaClass {
  readonly prototype: { parallelMode?(enable?: boolean): unknown };
  readonly Runner: { readonly prototype: MochaRunner };
  readonly Runnable: { readonly prototype: MochaRunnable };
}
