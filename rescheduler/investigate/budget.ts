/** How much may be spent on one test: a number of forced schedules and real time, whichever ends first. */
export class Budget {
  readonly maxSchedules: number;
  readonly deadline: number;
  used: number;
  /** Something more was wanted, and this was the answer; null: the budget has cut nothing short. */
  refused: string | null = null;
  private readonly signal: AbortSignal | undefined;

  constructor(limits: {
    maxSchedules: number;
    maxTimeMs: number;
    used?: number;
    signal?: AbortSignal | undefined;
  }) {
    this.used = limits.used ?? 0;
    this.maxSchedules = limits.maxSchedules;
    this.deadline = performance.now() + limits.maxTimeMs;
    this.signal = limits.signal;
  }

  /** Schedules that may still be run. */
  get left(): number {
    return Math.max(0, this.maxSchedules - this.used);
  }

  /** Time that is left, ms. */
  get leftMs(): number {
    return Math.max(0, this.deadline - performance.now());
  }

  /** Why nothing more may be run, or null. Asked by those who want to run more. */
  get ended(): string | null {
    const limit = this.limit();
    this.refused ??= limit;
    return limit;
  }

  private limit(): string | null {
    if (performance.now() >= this.deadline) return 'time';
    if (this.signal?.aborted) return this.signal.reason?.name === 'TimeoutError' ? 'time' : 'interrupted';
    if (this.used >= this.maxSchedules)
      return this.maxSchedules === 1 ? '1 schedule' : `${this.maxSchedules} schedules`;
    return null;
  }
}
