/** All operations, by name. */
import { files } from './files.ts';
import { jobs } from './jobs.ts';
import type { Operations } from './operation.ts';
import { children, messages } from './outside.ts';
import { heavySockets, sockets } from './sockets.ts';
import { timers } from './timers.ts';

const heavy: Operations = { ...children, ...heavySockets };

export const OPERATIONS: Operations = {
  ...timers,
  ...files,
  ...jobs,
  ...sockets,
  ...messages,
  ...heavy,
};

/** Those that take long natively: at most one of them in a program. */
export const HEAVY: ReadonlySet<string> = new Set(Object.keys(heavy));

/** What every program is made of besides. */
export const CORE = ['setTimeout', 'setTimeout', 'setImmediate', 'stat', 'sleep'];
