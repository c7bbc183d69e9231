/** What may come next: of two hypotheses of a run one may allow whatever the other one does. */
import type { Timeline } from './timeline.ts';

/** Nothing else may come than behind what has the same `where` and a profile that is nowhere greater. */
export class DominanceProfile {
  readonly where: string;
  private readonly timeline: Timeline;
  private readonly moments: readonly number[];
  private known: readonly number[] | null = null;

  /** `moments`: those on which what comes next may depend; see {@link Timeline.profile}. */
  constructor(timeline: Timeline, where: string, moments: readonly number[]) {
    this.timeline = timeline;
    this.where = where;
    this.moments = moments;
  }

  /** Worked out when something of the same `where` is compared with it: that takes a while. */
  private get profile(): readonly number[] {
    this.known ??= this.timeline.profile(this.moments);
    return this.known;
  }

  allowsAll(other: DominanceProfile): boolean {
    if (this.where !== other.where) return false;
    const { profile } = other;
    return this.profile.every((value, i) => value <= profile[i]!);
  }
}
