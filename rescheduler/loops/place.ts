/** Where a worker finds its place in an execution: a key of the environment data that it inherits. */
export const PLACE = 'unweave:place';
