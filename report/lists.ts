/** The lists of findings, which every report tells apart. */
import { countingLists, FAIL_LISTS, type FailList } from '../data/fail-on.ts';
import type { ReportBug } from '../data/report.ts';

/** Races in the user's code, tests that depend on timing, and what rests on an assumption: told apart in every report. */
export const LISTS = ['race', 'timing', 'conditional'] as const;
export type FindingList = (typeof LISTS)[number];

/** Headings of the lists. */
export const LIST_TITLES: Readonly<Record<FindingList, string>> = {
  race: 'Races in your code',
  timing: 'Tests that depend on timing',
  conditional: 'Findings that rest on an assumption',
};

/** Why the findings of a list do not count for the exit code; empty: they do. */
export function remarkOn(list: FindingList, counting: ReadonlySet<FailList> = BY_DEFAULT): string {
  if (counting.has(list)) return '';
  const why = list === 'timing' ? 'no races; ' : '';
  return FAIL_LISTS[list].byDefault
    ? `${why}not counted, by --fail-on no-${list}`
    : `${why}not counted unless --fail-on ${list} is given`;
}

const BY_DEFAULT = countingLists([]);

export const listOf = ({ conditional, class: of }: Pick<ReportBug, 'conditional' | 'class'>): FindingList =>
  conditional !== null ? 'conditional' : of;
