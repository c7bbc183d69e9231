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

/** By the file that has them. */
const BY_FILE: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  handover,
  phases,
  timers,
  waits,
  files,
  'file-times': fileTimes,
  outside,
  outsiders,
  messages,
  sockets,
  datagrams,
  loopback,
  runs,
  hooks,
  closed,
};

export const programs: Readonly<Record<string, Case>> = Object.assign({}, ...Object.values(BY_FILE));

/** Where one of them is. */
export const fileOf = (name: string): string => Object.keys(BY_FILE).find((file) => name in BY_FILE[file]!)!;

/** Those that talk to themselves: how late that may be depends on what loopback is taken for. */
export const local: Readonly<Record<string, Case>> = { ...sockets, ...datagrams, ...loopback };
