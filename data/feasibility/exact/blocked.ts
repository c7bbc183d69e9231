import type { Timeline } from './timeline.ts';

/** Time that passes within turns because the program waits there: for a synchronous child, in a loop, in `Atomics.wait`. */
export class Blocked {
  /** The moment behind each wait, and how long all have been until then, ms. */
  private readonly waits: { readonly moment: number; readonly total: number }[] = [];

  add(moment: number, ms: number): void {
    this.waits.push({ moment, total: this.total + ms });
  }

  /** How long the waits behind this moment were, ms. */
  since(moment: number): number {
    return this.total - (this.waits.findLast((wait) => wait.moment <= moment)?.total ?? 0);
  }

  /** By how much what has to come within so many ms of a moment is put off until the last of the waits is over, ms. */
  postponed(timeline: Timeline, moment: number, within: number): number {
    const last = this.waits.at(-1);
    if (!last) return 0;
    const late = timeline.timeOf(last.moment) - timeline.timeOf(moment) - within;
    return Math.max(0, Math.min(late, this.since(moment)));
  }

  private get total(): number {
    return this.waits.at(-1)?.total ?? 0;
  }
}
