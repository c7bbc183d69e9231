/** Who has set a timer that is not of the run: the program, in a hook, say, or whoever runs its tests. */
import { getCallSites } from 'node:util';
import { runnerPackages } from '../../data/runners.ts';
import { isOurScript } from '../loader/select.ts';

const FRAMES = 12;

const TIMERS = /^node:(?:internal\/)?timers(?:\/promises)?$/;

/** Scripts of test runners; they give tests a time, for which no test waits. */
const OF_RUNNERS = new RegExp(`/node_modules/(?:${runnerPackages()})/`);

let isOurs = false;

/** What `set` sets are timers of ours. Each run sets some, and to look who asks costs as much as a short run. */
export function setAsOurs<T>(set: () => T): T {
  isOurs = true;
  try {
    return set();
  } finally {
    isOurs = false;
  }
}

/** Whether the timer that is set now is one of ours. */
export const isSetAsOurs = (): boolean => isOurs;

/** Whether code of the program is what asks for the timer that is set now, and not Node, a runner of tests, or we. */
export function isSetByProgram(): boolean {
  if (isOurs) return false;
  const caller = getCallSites(FRAMES).find(
    ({ scriptName }) => !TIMERS.test(scriptName) && !isOurScript(scriptName),
  )?.scriptName;
  return caller !== undefined && !caller.startsWith('node:') && !OF_RUNNERS.test(caller);
}
