/** Where accesses of an event loop were called from: those that the host makes for a request, by who made that. */
import type { HostRequest } from '../host/request.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Frame } from '../runtime/types.ts';
import type { CallSites, Running } from './call-site.ts';
import { Callers } from './callers.ts';

export class RequestCallers extends Callers<Frame> {
  private readonly runtime: Runtime;
  private readonly requests = new WeakMap<HostRequest, readonly Running[]>();

  constructor(runtime: Runtime, callSites: CallSites) {
    super(runtime, callSites);
    this.runtime = runtime;
  }

  /** A request is made now. `cause`: the one whose delivery alone led to it. */
  issue(request: HostRequest, cause?: HostRequest): void {
    const calls = cause ? this.requests.get(cause) : this.now(this.runtime.cur);
    this.requests.set(request, calls?.length ? calls : this.callersOf(request.frame));
  }

  /** The event with this number will be an access that the host makes for a request. */
  effect(event: number, request: HostRequest): void {
    this.tell(event, this.requests.get(request) ?? []);
  }
}
