/** Requests that another process brings know from which job on they could come. */
export const TWELFTH = `
ALTER TABLE requests ADD COLUMN since INTEGER NOT NULL DEFAULT -1;
`;
