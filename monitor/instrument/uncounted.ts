/** Stands in front of a statement that hardly ever runs: who counts statements (nyc) takes what is put in for the user's. */
export const UNCOUNTED = '/*istanbul ignore next*/';
