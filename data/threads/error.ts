/** Everything that can be wrong with a trace of threads, as one line for the user. */
export class TraceError extends Error {
  override readonly name = 'TraceError';
  /** 1-based line of the trace; null where no line is to blame. */
  readonly line: number | null;

  constructor(message: string, line: number | null = null) {
    super(line === null ? message : `line ${line}: ${message}`);
    this.line = line;
  }
}
