/**
 * How long a run waits in real time for what comes from outside, while something else could happen (C12). Either news
 * are expected at once, or the strategy wants some: then the clock of the program falls behind, which is a pause of the
 * CPU to whatever is due, and must not become longer than one may be (C14).
 */
import { native } from './native.ts';

/** So long a run waits: a short-lived child ends before anything else happens. Less than a pause may last. */
const PATIENCE_MS = 200;

export class Patience {
  /** News that are expected, each until some real time. */
  private readonly expected = new Set<{ readonly until: number }>();
  /** Since when the strategy has been waiting, in real time; null: it is not. */
  private since: number | null = null;
  /** How far the virtual clock lags behind because the strategy waited, ms. */
  private lag = 0;

  /** News are expected from now on; call what comes back when they are here: true where it is the first time. */
  expect(): () => boolean {
    const expected = { until: native.now() + PATIENCE_MS };
    this.expected.add(expected);
    return () => this.expected.delete(expected);
  }

  /** For how many more ms expected news are waited for, whatever the strategy wants. */
  expecting(): number {
    if (this.expected.size === 0) return 0;
    const now = native.now();
    let most = 0;
    for (const { until } of this.expected) most = Math.max(most, until - now);
    if (most === 0) this.expected.clear();
    return most;
  }

  /** For how many more ms the strategy may wait. */
  get left(): number {
    const waiting = this.since === null ? 0 : native.now() - this.since;
    return Math.max(0, PATIENCE_MS - this.lag - waiting);
  }

  /** The strategy waits. */
  wait(): void {
    this.since ??= native.now();
  }

  /** A step was taken, which moved the virtual clock by so much. */
  stepped(ms: number): void {
    if (this.since !== null) this.lag += native.now() - this.since;
    this.since = null;
    this.lag = Math.max(0, this.lag - ms);
  }
}
