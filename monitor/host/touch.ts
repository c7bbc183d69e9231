/** Tells the controller of a synchronous call that touched a resource: it took effect already. */

import type { HostRequests } from './controller.ts';
import { originOf } from './naming.ts';
import type { HostAccess } from './request.ts';

export function touch(
  controller: HostRequests,
  api: string,
  what: string,
  accesses: readonly HostAccess[],
): void {
  const { name, frame, site } = originOf(controller, api);
  controller.touched({
    ...{ kind: 'external', how: { by: 'handle' }, api, what, name, frame, site },
    ...{ ref: true, id: -1, effects: 0 },
    accesses: () => accesses,
    effect: (done) => done(true),
    deliver: () => {},
  });
}
