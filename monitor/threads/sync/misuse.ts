import { threadId } from 'node:worker_threads';

/** An operation that its caller may not do: a lock given back by a thread that does not hold it. */
export class SyncError extends Error {
  override name = 'SyncError';
}

/** This thread, as it is written into the memory of locks: never 0, which is nobody. */
export const SELF = threadId + 1;
