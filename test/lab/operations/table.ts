/** All operations, by name. */
import { datagrams } from './datagrams.ts';
import { files } from './files.ts';
import { jobs, streaming } from './jobs.ts';
import type { Operations } from './operation.ts';
import { children, messages } from './outside.ts';
import { heavySockets, sockets } from './sockets.ts';
import { timers } from './timers.ts';

const heavy: Operations = { ...children, ...heavySockets };

const first: Operations = {
  ...timers,
  ...files,
  ...jobs,
  ...sockets,
  ...messages,
  ...heavy,
};
const later: Operations = { ...datagrams, ...streaming };

export const OPERATIONS: Operations = { ...first, ...later };

/** From this seed on programs are about operations that came later: what a smaller seed means never changes. */
export const LATER = 2001;
export const operationsOf = (seed: number): readonly string[] => Object.keys(seed < LATER ? first : later);

/** Those that take long natively: at most one of them in a program. */
export const HEAVY: ReadonlySet<string> = new Set(Object.keys(heavy));

/** What every program is made of besides. */
export const CORE = ['setTimeout', 'setTimeout', 'setImmediate', 'stat', 'sleep'];
