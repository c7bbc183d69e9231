/** How many feasible orders a test has, and whether all were executed. */
export const FOURTH = `
ALTER TABLE tests ADD COLUMN orders REAL;
ALTER TABLE tests ADD COLUMN all_orders INTEGER NOT NULL DEFAULT 0;
`;
