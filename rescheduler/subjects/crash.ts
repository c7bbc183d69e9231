/** Ways in which a program ends its process: natively that ends everything, here it ends the run. */
import type { FailureKind } from '../../data/run.ts';

export interface Crash {
  readonly kind: FailureKind;
  readonly error: unknown;
}

/** The program called `process.exit`. */
export class ProcessExit extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`the program called process.exit(${exitCode})`);
    this.name = 'ProcessExit';
    this.exitCode = exitCode;
  }
}

export interface CrashOptions {
  /** Also where the program listens to these events itself (a test runner does, and fails the test). */
  readonly always: boolean;
  /** Make `process.exit` end the run instead of the process. */
  readonly exit: boolean;
}

/** Listens between {@link start} and {@link stop}; the first crash counts. */
export class CrashWatch {
  /** Rejects at the first crash; never settles otherwise. */
  readonly crashed: Promise<never>;
  first: Crash | null = null;
  private readonly options: CrashOptions;
  private readonly nativeExit = process.exit;
  private reject!: (error: unknown) => void;

  constructor(options: CrashOptions) {
    this.options = options;
    this.crashed = new Promise((_, reject) => (this.reject = reject));
    this.crashed.catch(() => {});
  }

  start(): void {
    process.on('uncaughtException', this.onException);
    process.on('unhandledRejection', this.onRejection);
    if (this.options.exit) process.exit = this.onExit;
  }

  stop(): void {
    process.off('uncaughtException', this.onException);
    process.off('unhandledRejection', this.onRejection);
    if (process.exit === this.onExit) process.exit = this.nativeExit;
  }

  private readonly onException = (error: unknown): void => {
    if (this.counts('uncaughtException')) this.crash('exception', error);
  };

  private readonly onRejection = (error: unknown): void => {
    if (this.counts('unhandledRejection')) this.crash('unhandled-rejection', error);
  };

  private readonly onExit = (code?: number | string | null): never => {
    const error = new ProcessExit(Number(code ?? process.exitCode ?? 0));
    this.crash('exception', error);
    throw error;
  };

  /** A program with a handler of its own goes on, here as natively. */
  private counts(event: 'uncaughtException' | 'unhandledRejection'): boolean {
    return this.options.always || process.listenerCount(event as 'uncaughtException') === 1;
  }

  private crash(kind: FailureKind, error: unknown): void {
    this.first ??= { kind, error };
    this.reject(error);
  }
}
