/** What keeps Node's loop alive, by kind. */

import { replaceMethod } from '../replace.ts';
import type { HostRequests } from './controller.ts';

interface ActiveLists {
  _getActiveRequests(): readonly unknown[];
  _getActiveHandles(): readonly unknown[];
}
const lists = process as unknown as ActiveLists;

/** Requests that Node lists, those of files that were carried out at once among them. */
export const activeRequests = (): readonly unknown[] => lists._getActiveRequests();

const { getActiveResourcesInfo } = process;

/** All requests, while Node names them. */
const held: { requests: readonly unknown[] } = { requests: [] };

/**
 * `process.getActiveResourcesInfo()` without the timers and immediates, of which there may be many: Node counts
 * them from these two arrays. Nor are requests wanted, which come first.
 *
 * A request that was carried out at once stays on Node's list, never handed to the kernel, until it is collected.
 * Node walks the list while it allocates names; what is collected on the way ends the process. So all of them
 * are kept alive meanwhile.
 */
function handleKinds(timeouts: Int32Array, immediates: Uint32Array): string[] {
  const [timers] = timeouts;
  const refs = immediates[1];
  timeouts[0] = 0;
  immediates[1] = 0;
  held.requests = activeRequests();
  try {
    return getActiveResourcesInfo.call(process).slice(held.requests.length);
  } finally {
    held.requests = [];
    timeouts[0] = timers!;
    immediates[1] = refs!;
  }
}

/** Gives the function that lists the kinds of all handles, which are few, and rarely others than at the last look. */
export function resourceLister(timeouts: Int32Array, immediates: Uint32Array): () => readonly string[] {
  let known: readonly unknown[] = [];
  let kinds: readonly string[] = [];
  return () => {
    const handles = lists._getActiveHandles();
    if (!isSame(handles, known)) {
      kinds = handleKinds(timeouts, immediates);
      known = handles;
    }
    return kinds;
  };
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/**
 * A program that asks what keeps it alive is told of its timers: `count` of them do, which Node does not have. Immediates
 * it still counts.
 */
export function tellTimers(controller: HostRequests, count: () => number): void {
  replaceMethod(process, 'getActiveResourcesInfo', () => {
    const kinds = getActiveResourcesInfo.call(process);
    return controller.active() ? [...kinds, ...new Array<string>(count()).fill('Timeout')] : kinds;
  });
}
