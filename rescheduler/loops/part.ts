import type { Lines } from './lines.ts';
import type { Thread } from './thread.ts';

/** A thread that takes part, with its lines to the others. */
export interface ThreadContext extends Thread {
  readonly lines: Lines;
}
