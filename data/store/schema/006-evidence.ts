/** What version 6 of the schema takes away: evidence of a verdict, which stands in the report of the bug. */
export const SIXTH = 'ALTER TABLE verdicts DROP COLUMN evidence';
