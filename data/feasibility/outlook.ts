/** What may come next: of two readings of a run one may allow whatever the other one does. */
import type { Timeline } from './timeline.ts';

/** Nothing else may come than behind what has the same `where` and a `profile` that is nowhere greater. */
export interface Outlook {
  readonly where: string;
  readonly profile: readonly number[];
}

/** `moments`: those on which what comes next may depend; see {@link Timeline.profile}. */
export const outlookOf = (timeline: Timeline, where: string, moments: readonly number[]): Outlook => ({
  where,
  profile: timeline.profile(moments),
});

export const allowsAll = (one: Outlook, other: Outlook): boolean =>
  one.where === other.where && one.profile.every((value, i) => value <= other.profile[i]!);
