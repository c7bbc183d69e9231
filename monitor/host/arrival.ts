/** Requests that the poll or the closing phase delivers: readiness of sockets, messages, close callbacks. */
import type { Arrival } from '../../data/feasibility/exact/arrivals.ts';
import type { Context } from './context.ts';
import type { HostRequests } from './controller.ts';
import { callBack } from './fs-request.ts';
import type { RequestOrigin } from './naming.ts';
import type { ArrivedRequest, HostRequest } from './request.ts';

/** What the host hands over. */
export interface Arriving
  extends Pick<ArrivedRequest, 'api' | 'what' | 'trails' | 'behind' | 'since' | 'isOthers'> {
  /** How it comes; `close`: in the closing phase, as the callback of a closed handle. */
  readonly how: Arrival | 'close';
  readonly origin: RequestOrigin;
  /** Of the callback. */
  readonly context: Context;
  /** What the host does when the arrival's turn has come; it may take some macrotasks. */
  happen(done: () => void): void;
  /** The callback. */
  deliver(): void;
}

/** Hands an arrival to the controller. */
export function issueArrival(controller: HostRequests, arriving: Arriving): HostRequest {
  const {
    how,
    api,
    what,
    origin,
    context,
    behind = null,
    trails = false,
    since = -1,
    isOthers = false,
  } = arriving;
  const request: HostRequest = {
    ...(how === 'close' ? { kind: 'close' } : { kind: 'external', how, trails, since, isOthers }),
    ...{ api, what, behind, ref: true, id: -1, effects: 0 },
    ...origin,
    accesses: () => [],
    effect: (done) => arriving.happen(() => done(true)),
    deliver: () => callBack(controller, request, context, () => arriving.deliver()),
  };
  controller.issue(request);
  return request;
}

/** Something of the host that comes once, asked for before or after it came. */
export class Once<T> {
  value: T | undefined = undefined;
  here = false;
  private waiting: (() => void) | null = null;

  come(value: T): void {
    this.value = value;
    this.here = true;
    this.waiting?.();
    this.waiting = null;
  }

  /** Calls `then` once it is here: at once, or later in the macrotask in which it comes. */
  await(then: () => void): void {
    if (this.here) then();
    else this.waiting = then;
  }
}
