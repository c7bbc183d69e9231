/** Requests know when they were taken back. */
export const TENTH = `
ALTER TABLE requests ADD COLUMN taken_back INTEGER NOT NULL DEFAULT -1;
`;
