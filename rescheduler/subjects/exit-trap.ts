/** `process.exit` called by the program: natively it ends everything, here it ends the run. */

/** The program called `process.exit`. */
export class ProcessExit extends Error {
  readonly exitCode: number;
  /** Ends the process as the program wanted to. */
  declare readonly leave: () => never;

  constructor(exitCode: number, leave: (code: number) => never) {
    super(`the program called process.exit(${exitCode})`);
    this.name = 'ProcessExit';
    this.exitCode = exitCode;
    // Not to be seen where the error is shown.
    Object.defineProperty(this, 'leave', { value: () => leave(exitCode) });
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
  private readonly calledLast = this.caught((code) => this.native.reallyExit.call(process, code));
  private readonly called = this.caught((code) => this.native.exit.call(process, code));
  private reject!: (error: unknown) => void;

  constructor() {
    this.exited = new Promise((_, reject) => (this.reject = reject));
    this.exited.catch(() => {});
  }

  set(): void {
    process.exit = this.called;
    last().reallyExit = this.calledLast;
  }

  unset(): void {
    if (process.exit === this.called) process.exit = this.native.exit;
    if (last().reallyExit === this.calledLast) last().reallyExit = this.native.reallyExit;
  }

  /** Nothing after the call may run; a throw is the nearest to that. */
  private caught(leave: (code: number) => never): (code?: number | string | null) => never {
    return (code) => {
      const exit = new ProcessExit(Number(code ?? process.exitCode ?? 0), leave);
      this.exit ??= exit;
      this.reject(exit);
      throw exit;
    };
  }
}
