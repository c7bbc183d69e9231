/** Requests know what comes before them. */
export const NINTH = `
ALTER TABLE requests ADD COLUMN behind INTEGER NOT NULL DEFAULT -1;
`;
