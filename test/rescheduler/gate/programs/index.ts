/** All programs that can never fail, by name. */

import { closed } from './closed.ts';
import { datagrams } from './datagrams.ts';
import { fileTimes } from './file-times.ts';
import { files } from './files.ts';
import { handover } from './handover.ts';
import { hooks } from './hooks.ts';
import { loopback } from './loopback.ts';
import { messages } from './messages.ts';
import { outside } from './outside.ts';
import { outsiders } from './outsiders.ts';
import { phases } from './phases.ts';
import type { Case } from './program.ts';
import { runs } from './runs.ts';
import { sockets } from './sockets.ts';
import { timers } from './timers.ts';
import { waits } from './waits.ts';

export const programs: Readonly<Record<string, Case>> = {
  ...handover,
  ...phases,
  ...timers,
  ...waits,
  ...files,
  ...fileTimes,
  ...outside,
  ...outsiders,
  ...messages,
  ...sockets,
  ...datagrams,
  ...loopback,
  ...runs,
  ...hooks,
  ...closed,
};

/** Those that talk to themselves: how late that may be depends on what loopback is taken for. */
export const local: Readonly<Record<string, Case>> = { ...sockets, ...datagrams, ...loopback };
