/** What version 3 of the schema takes away: a distance of jobs that nothing recorded and nothing asked for. */
export const THIRD = `
ALTER TABLE jobs DROP COLUMN hops;
`;
