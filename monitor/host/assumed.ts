/** Calls of the user's own functions that are taken for requests to the host (`assumeIo`). */

import type { HostRequests } from './controller.ts';
import { nameOf, ownerOf } from './naming.ts';
import type { HostRequest } from './request.ts';

/** How such a request is called in names and reports. */
const ASSUMED = 'assumed I/O';

/** Whether a step, by its stable name, is one of an assumed request. */
export const isAssumedStep = (step: string): boolean => /[|>]assumed I\/O#\d+$/.test(step);

/**
 * Issues the answer to a call that has done its work: there is nothing left to take effect, only a delivery
 * that may come early or late. Null where the call belongs to no run, or its run does not assume I/O.
 */
export function answerTo(controller: HostRequests, fn: string, site: number): Promise<void> | null {
  if (!controller.active() || !controller.assumesIo) return null;
  const frame = ownerOf(controller);
  const { promise, resolve } = Promise.withResolvers<void>();
  const request: HostRequest = {
    kind: 'pool',
    api: ASSUMED,
    what: fn,
    name: nameOf(controller, ASSUMED),
    frame,
    site,
    ref: true,
    id: -1,
    accesses: () => [],
    effects: 0,
    effect: (done) => done(true),
    deliver: resolve,
  };
  controller.issue(request);
  return promise;
}
