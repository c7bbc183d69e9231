/** Ends the id of a schedule that needs answers later than the limit: forced only where that is assumed. */
export const LATE = '-late';
