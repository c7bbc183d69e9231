/** All operations, by name. */
import { files } from './files.ts';
import type { Operations } from './operation.ts';
import { timers } from './timers.ts';

const heavy: Operations = {};

export const OPERATIONS: Operations = { ...timers, ...files, ...heavy };

/** Those that take long natively: at most one of them in a program. */
export const HEAVY: ReadonlySet<string> = new Set(Object.keys(heavy));

/** What every program is made of besides. */
export const CORE = ['setTimeout', 'setTimeout', 'setImmediate', 'stat', 'sleep'];
