/** Tests know what processes did beside each other that nobody ordered. */
export const THIRTEENTH = `
ALTER TABLE tests ADD COLUMN beside TEXT NOT NULL DEFAULT '[]';
`;
