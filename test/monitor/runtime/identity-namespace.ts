/** Something to import as a namespace. */
export const value = 1;
