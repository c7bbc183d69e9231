/** Requests that the poll or the closing phase delivers: readiness of sockets, messages, close callbacks. */
import type { Context } from './context.ts';
import { callBack } from './fs-request.ts';
import { nameOf, ownerOf } from './naming.ts';
import type { After, HostController, HostRequest } from './request.ts';

/** Who made an arrival come: a name for it, and the activation that it belongs to. */
export interface Origin {
  readonly name: string;
  readonly frame: HostRequest['frame'];
  readonly site: number;
}

/** The code that runs now is the origin of an arrival that will be called `api`. */
export function originOf(controller: HostController, api: string): Origin {
  const frame = ownerOf(controller);
  return {
    name: nameOf(controller, api),
    frame,
    site: controller.frames.site?.() ?? frame?.site ?? -1,
  };
}

export interface Arrival {
  readonly kind: 'external' | 'close';
  readonly api: string;
  readonly what: string;
  readonly origin: Origin;
  /** See {@link HostRequest.behindPoll}, {@link HostRequest.queued} and {@link HostRequest.atOnce}. */
  readonly behindPoll?: boolean;
  readonly queued?: boolean;
  readonly atOnce?: boolean;
  /** See {@link HostRequest.wakes}, {@link HostRequest.prompt}, {@link HostRequest.local} and {@link HostRequest.made}. */
  readonly wakes?: boolean;
  readonly prompt?: boolean;
  readonly local?: boolean;
  readonly made?: number | undefined;
  /** See {@link HostRequest.after}. */
  readonly after?: After | undefined;
  /** See {@link HostRequest.trails}. */
  readonly trails?: boolean;
  /** See {@link HostRequest.behind}. */
  readonly behind?: HostRequest | null;
  /** Of the callback. */
  readonly context: Context;
  /** What the host does when the arrival's turn has come; it may take some macrotasks. */
  happen(done: () => void): void;
  /** The callback. */
  deliver(): void;
}

/** Hands an arrival to the controller. */
export function issueArrival(controller: HostController, arrival: Arrival): HostRequest {
  const { kind, api, what, origin, context, behindPoll = false, queued = false, atOnce = false } = arrival;
  const { wakes = false, prompt = false, local = false, made = -1, after, behind = null } = arrival;
  const { trails = false } = arrival;
  const request: HostRequest = {
    kind,
    api,
    what,
    behindPoll,
    queued,
    atOnce,
    wakes,
    prompt,
    local,
    made,
    after,
    behind,
    trails,
    name: origin.name,
    frame: origin.frame,
    site: origin.site,
    delay: 0,
    ref: true,
    id: -1,
    accesses: () => [],
    effects: 0,
    effect: (done) => arrival.happen(() => done(true)),
    deliver: () => callBack(controller, request, context, () => arrival.deliver()),
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
