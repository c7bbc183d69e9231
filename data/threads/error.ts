/** Everything that can be wrong with a trace of threads, as one line for the user. */
export class TraceError extends Error {
  override readonly name = 'TraceError';

  /** `line`: that of the trace, from 1; null where no line is to blame. */
  constructor(message: string, line: number | null = null) {
    super(line === null ? message : `line ${line}: ${message}`);
  }
}
