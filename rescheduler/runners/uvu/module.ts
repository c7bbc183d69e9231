/** The module of uvu that has its suites, in both of its builds: by its path or URL. */
export const MODULE = /\/uvu\/dist\/index\.m?js$/;
