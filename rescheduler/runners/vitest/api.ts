/** What is used of Vitest; all of it is documented. */
interface VitestResult {
  readonly state: string;
  readonly pending?: boolean;
  readonly errors?: readonly { readonly message: string }[];
}

export interface VitestTest {
  readonly type: 'test';
  readonly name: string;
  mode: string;
  retry?: unknown;
  repeats?: number;
  readonly fails?: boolean;
  readonly timeout?: number;
  /** `signal`: from 3.2 on. */
  readonly context: { readonly signal?: AbortSignal };
  readonly result?: VitestResult;
  /** Before 3: it has skipped itself. */
  readonly pending?: boolean;
}

export interface VitestSuite {
  readonly type: 'suite';
  readonly name: string;
  mode: string;
  readonly result?: VitestResult;
  readonly tasks: readonly VitestTask[];
}

export type VitestTask = VitestTest | VitestSuite;

export interface VitestFile extends VitestSuite {
  readonly filepath: string;
  readonly projectName?: string;
}

/** What a test may have changed for those behind it. */
export interface Vi {
  useRealTimers(): unknown;
  unstubAllEnvs(): unknown;
  unstubAllGlobals(): unknown;
  restoreAllMocks(): unknown;
  resetConfig(): unknown;
  resetModules(): unknown;
}
