/** Who has set a timer that is not of the run: the program, in a hook, say, or whoever runs its tests. */
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getCallSites } from 'node:util';
import { runnerPackages } from '../../data/runners.ts';
import type { Site } from '../../data/trace.ts';
import { loaderConfig } from '../loader/config.ts';
import { isOurScript } from '../loader/select.ts';
import { siteOf, writtenAt } from '../record/call-site.ts';

const FRAMES = 12;

/** What of Node sets timers for those who call it. */
const TIMERS = /^node:(?:internal\/)?(?:timers(?:\/promises)?|abort_controller|stream_base_commons)$/;

/** Scripts of test runners; they give tests a time, for which no test waits. */
const OF_RUNNERS = new RegExp(`/node_modules/(?:${runnerPackages()})/`);

/** By place in the text that runs. */
const sites = new Map<string, Site>();

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

/** Where code of the program asks for the timer that is set now; null: Node, a runner of tests, or we ask for it. */
export const setByProgram = (): Site | null => (isOurs ? null : calledByProgram());

/** Where code of the program calls what runs now, be it by a timer of Node; null: Node, or a runner of tests, does. */
export function calledByProgram(): Site | null {
  const caller = getCallSites(FRAMES).find(
    ({ scriptName }) => !TIMERS.test(scriptName) && !isOurScript(scriptName),
  );
  if (!caller || caller.scriptName.startsWith('node:') || OF_RUNNERS.test(caller.scriptName)) return null;
  const { scriptName, lineNumber: line, columnNumber: column, functionName } = caller;
  const key = `${scriptName}:${line}:${column}`;
  let site = sites.get(key);
  if (!site) {
    const file = scriptName.replace(/[?#].*$/, '');
    const { cwd } = loaderConfig();
    const path = file.startsWith('file:') ? fileURLToPath(file) : resolve(cwd, file);
    const place = { file: relative(cwd, path), line, column, told: null };
    sites.set(key, (site = siteOf(writtenAt(place) ?? place, functionName)));
  }
  return site;
}
