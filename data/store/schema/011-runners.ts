/** A test case is one of a runner; which ones there are is checked by whoever reads. */
export const ELEVENTH = `
ALTER TABLE tests ADD COLUMN told_kind TEXT NOT NULL DEFAULT 'script';
UPDATE tests SET told_kind = kind;
ALTER TABLE tests DROP COLUMN kind;
ALTER TABLE tests RENAME COLUMN told_kind TO kind;
`;
