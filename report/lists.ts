/** The lists of findings, which every report tells apart. */
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

/** Why the findings of a list do not count for the exit code, unless asked for; empty: they do. */
export const LIST_REMARKS: Readonly<Record<FindingList, string>> = {
  race: '',
  timing: 'no races; not counted unless --fail-on timing is given',
  conditional: 'not counted',
};

export const listOf = ({ conditional, class: of }: Pick<ReportBug, 'conditional' | 'class'>): FindingList =>
  conditional !== null ? 'conditional' : of;
