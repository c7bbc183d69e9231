/** Files of the user's adapters, and of the locks that they teach: a lock is named by where it is used. */
export const lockFiles = new Set<string>();
