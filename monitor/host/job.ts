/**
 * One piece of work that Node does outside of JavaScript and answers once: in the thread pool, or elsewhere. It is
 * started in the call, as natively; its answer is held until the controller delivers it. Work that touches nothing
 * shared has no effect of its own, so nothing can tell when it was really done.
 */
import type { Arrival } from '../../data/feasibility/exact/arrivals.ts';
import { Once } from './arrival.ts';
import type { Context } from './context.ts';
import type { HostLiveness, HostRequests } from './controller.ts';
import { callBack } from './fs-request.ts';
import type { KnownAnswers } from './known.ts';
import { originOf } from './naming.ts';
import type { HostRequest, PooledRequest } from './request.ts';

/**
 * Where the work is done: in the pool, in the half of the pool that slow work may take, on threads of the engine
 * (`soon`, or `twice` where it takes two poll phases), or outside of this process, from where the answer comes when it
 * comes; mostly soon.
 */
export type JobPlace = 'pool' | 'slow' | 'soon' | 'twice' | 'elsewhere';

type JobWork =
  | Pick<PooledRequest, 'kind' | 'slow' | 'handOver'>
  | { readonly kind: 'external'; readonly how: Arrival };

export class HostJob {
  private readonly controller: HostRequests & HostLiveness;
  private readonly root: object;
  private readonly api: string;
  private readonly context: Context;
  private readonly settles: { readonly later: (fn: () => void) => void } | null;
  private readonly answered = new Once<() => void>();
  private readonly origin: ReturnType<typeof originOf>;
  private request: HostRequest | null = null;
  private over: (() => void) | null = null;
  private readonly known: KnownAnswers | null;

  /**
   * `settles`: the answer settles a promise, and comes in a microtask; otherwise it runs a callback of the program.
   * `later` runs a function in a fresh macrotask. `known`: of name servers.
   */
  constructor(
    controller: HostRequests & HostLiveness,
    api: string,
    place: JobPlace,
    context: Context,
    settles: { readonly later: (fn: () => void) => void } | null,
    known: KnownAnswers | null = null,
  ) {
    this.controller = controller;
    this.root = controller.root;
    this.api = api;
    this.context = context;
    this.settles = settles;
    this.known = known;
    this.origin = originOf(controller, api);
    if (place === 'elsewhere') {
      const over = controller.begin(api);
      const came = controller.expect();
      this.over = () => {
        came();
        over();
      };
    } else if (place === 'soon' || place === 'twice')
      this.issue({ kind: 'external', how: { by: 'engine', twice: place === 'twice' } });
    // What comes behind the run is told when it comes.
    else this.issue({ kind: 'pool', slow: place === 'slow', handOver: () => this.handOver() });
  }

  /** The work is done; `answer` tells the program. In the issuing turn it is told at once (C1). */
  come(answer: () => void): void {
    const { controller, settles } = this;
    const isOfRun = controller.root === this.root;
    const asked = this.known?.take() ?? null;
    if (isOfRun && controller.running && controller.rules.instant) {
      this.cancel();
      answer();
      return;
    }
    // Nothing can be drained from within a microtask, so no step may follow in one (C6).
    if (isOfRun && settles) settles.later(() => this.arrive(answer, asked));
    else this.arrive(answer, asked);
  }

  /** `asked`: where, if Node knew it in a call. */
  private arrive(answer: () => void, asked: number | null): void {
    this.over?.();
    this.over = null;
    if (this.controller.root !== this.root) {
      answer();
      return;
    }
    // What a name server answers Node puts off to the check phase.
    if (!this.request) this.issue({ kind: 'external', how: { by: 'resolver', known: asked } });
    this.answered.come(answer);
  }

  /** It was not started after all, or answered at once. */
  cancel(): void {
    this.over?.();
    this.over = null;
    if (this.request) this.controller.cancel(this.request);
    this.request = null;
  }

  private issue(work: JobWork): void {
    const { controller, api, origin } = this;
    const request: HostRequest = {
      ...{ ...work, api, what: '', ref: true, id: -1, effects: work.kind === 'pool' ? 1 : 0 },
      ...origin,
      accesses: () => [],
      effect: (done) => this.answered.await(() => done(true)),
      deliver: () => this.deliver(request),
    };
    this.request = request;
    controller.issue(request);
  }

  /** No activation is one of a run any more: what is here is told as Node would, and what comes later by itself. */
  private handOver(): void {
    if (!this.answered.here) return;
    const answer = this.answered.value as () => void;
    if (this.settles) answer();
    else this.context(answer);
  }

  private deliver(request: HostRequest): void {
    const answer = this.answered.value as () => void;
    if (this.settles) this.controller.frames.runAs(null, answer);
    else callBack(this.controller, request, this.context, answer);
  }
}
