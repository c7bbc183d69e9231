/** `process.exit` called by the program: natively it ends everything, here it ends the run. */

/** The program called `process.exit`. */
export class ProcessExit extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`the program called process.exit(${exitCode})`);
    this.name = 'ProcessExit';
    this.exitCode = exitCode;
  }
}

/** What Node calls last: a program may call it in the place of `process.exit`. */
const last = (): { reallyExit: (code?: number) => never } => process as never;

/** Replaces `process.exit` between {@link set} and {@link unset}. */
export class ExitTrap {
  /** Rejects at the first call; never settles otherwise. */
  readonly exited: Promise<never>;
  /** The first call. */
  exit: ProcessExit | null = null;
  private readonly native = { exit: process.exit, reallyExit: last().reallyExit };
  private reject!: (error: unknown) => void;

  constructor() {
    this.exited = new Promise((_, reject) => (this.reject = reject));
    this.exited.catch(() => {});
  }

  set(): void {
    process.exit = this.called;
    last().reallyExit = this.called;
  }

  unset(): void {
    if (process.exit === this.called) process.exit = this.native.exit;
    if (last().reallyExit === this.called) last().reallyExit = this.native.reallyExit;
  }

  /** Nothing after the call may run; a throw is the nearest to that. */
  private readonly called = (code?: number | string | null): never => {
    const exit = new ProcessExit(Number(code ?? process.exitCode ?? 0));
    this.exit ??= exit;
    this.reject(exit);
    throw exit;
  };
}
