/** Which requests were answered late, and how long pauses of the CPU were (C14). */
import type { Awaited } from './pool.ts';
import type { Timeline } from './timeline.ts';

/** Moments of the timeline between which a request was under way: until its answer, or until nobody wanted that. */
interface Answered {
  readonly id: number;
  readonly issued: number;
  readonly since: number;
  readonly lead: number;
  readonly over: number;
  /** How long the program waited within turns meanwhile, ms. */
  readonly blocked: number;
}

/** A timer for which the loop, which was asleep, has woken up late: it fires behind the one of another list. */
export interface Overslept {
  /** The moments at which the loop went to sleep and woke up. */
  readonly from: number;
  readonly woken: number;
  readonly start: number;
  readonly delay: number;
  readonly blocked: number;
}

export class Lateness {
  private readonly answered: Answered[] = [];
  private readonly overslept: Overslept[] = [];
  /** Moments before which the loop may have slept. */
  private readonly waited = new Set<number>();

  slept(before: number): void {
    this.waited.add(before);
  }

  woke(late: Overslept): void {
    this.overslept.push(late);
  }

  over({ id, issued, since, lead }: Awaited, moment: number, blocked: number): void {
    this.answered.push({ id, issued, since, lead, over: moment, blocked });
  }

  /** The longest pause of the CPU that the order so far presumes, ms. */
  longestPause(timeline: Timeline): number {
    const slept = this.overslept.map(({ from, woken, start, delay, blocked }) => {
      const at = timeline.timeOf(woken);
      return Math.min(at - timeline.timeOf(from), at - timeline.timeOf(start) - delay - blocked);
    });
    return Math.max(timeline.longestPause(this.waited), ...slept);
  }

  /** How late each request was answered, or was still not when it was withdrawn, ms; without those that were not late. */
  late(timeline: Timeline): { id: number; ms: number }[] {
    return this.answered
      .map(({ id, issued, since, lead, over, blocked }) => {
        const here = Math.max(timeline.timeOf(issued), timeline.timeOf(since) + lead);
        return { id, ms: timeline.timeOf(over) - here - blocked };
      })
      .filter(({ ms }) => ms > 0);
  }
}
