/**
 * One piece of work that Node does outside of JavaScript and answers once: in the thread pool, or elsewhere. It is
 * started in the call, as natively; its answer is held until the controller delivers it. Work that touches nothing
 * shared has no effect of its own, so nothing can tell when it was really done.
 */
import { Once, originOf } from './arrival.ts';
import type { Context } from './context.ts';
import { callBack } from './fs-request.ts';
import type { HostController, HostRequest } from './request.ts';

/**
 * Where the work is done: in the pool, in the half of the pool that slow work may take, on threads of the engine
 * (`soon`), or outside of this process, from where the answer comes when it comes.
 */
export type Place = 'pool' | 'slow' | 'soon' | 'elsewhere';

export class Job {
  private readonly controller: HostController;
  private readonly root: object;
  private readonly api: string;
  private readonly context: Context;
  private readonly callsBack: boolean;
  private readonly answered = new Once<() => void>();
  private readonly origin: ReturnType<typeof originOf>;
  private request: HostRequest | null = null;
  private over: (() => void) | null = null;

  /** `callsBack`: the answer runs a callback of the program; otherwise it settles a promise. */
  constructor(controller: HostController, api: string, place: Place, context: Context, callsBack: boolean) {
    this.controller = controller;
    this.root = controller.root;
    this.api = api;
    this.context = context;
    this.callsBack = callsBack;
    this.origin = originOf(controller, api);
    if (place === 'elsewhere') this.over = controller.begin(api);
    else this.issue(place === 'soon' ? 'external' : 'pool', place === 'slow');
  }

  /** The work is done; `answer` tells the program. In the issuing turn it is told at once (C1). */
  come(answer: () => void): void {
    const { controller, request, over } = this;
    this.over = null;
    over?.();
    if (controller.root !== this.root) {
      answer();
      return;
    }
    if (controller.running && controller.rules.instant) {
      this.cancel();
      answer();
      return;
    }
    this.answered.come(answer);
    if (!request) this.issue('external');
  }

  /** It was not started after all, or answered at once. */
  cancel(): void {
    this.over?.();
    this.over = null;
    if (this.request) this.controller.cancel(this.request);
    this.request = null;
  }

  private issue(kind: 'pool' | 'external', slow = false): void {
    const { controller, api, origin } = this;
    const request: HostRequest = {
      ...{ kind, api, what: '', slow, delay: 0, ref: true, id: -1, effects: kind === 'pool' ? 1 : 0 },
      ...origin,
      accesses: () => [],
      effect: (done) => this.answered.await(() => done(true)),
      deliver: () => this.deliver(request),
    };
    this.request = request;
    controller.issue(request);
  }

  private deliver(request: HostRequest): void {
    const answer = this.answered.value as () => void;
    if (this.callsBack) callBack(this.controller, request, this.context, answer);
    else this.controller.frames.runAs(null, answer);
  }
}
