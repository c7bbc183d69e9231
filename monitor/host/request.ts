/** What the program asks of the host. */
import type { Arrival } from '../../data/feasibility/exact/arrivals.ts';
import type { Frame } from '../runtime/types.ts';

/** One entity that a request touches. */
export interface HostAccess {
  readonly entity: string;
  readonly write: boolean;
}

/** One request entering the host; the controller decides when it takes effect and when it is delivered. */
interface RequestBase {
  /** `fs.open`, `setTimeout`, … */
  readonly api: string;
  /** What it is about, for people: a path, a delay. */
  readonly what: string;
  /** Stable: equal for the same request in every order. Unique in the run. */
  readonly name: string;
  /** Who issued it; null where no instrumented code was running. */
  readonly frame: Frame | null;
  readonly site: number;
  /** It keeps the process alive. */
  ref: boolean;
  /** What comes before it, as long as that is awaited. */
  readonly behind?: HostRequest | null;
  /** Given by the controller at issue. */
  id: number;
  /** What it touched; meaningful once its (latest) effect happened. */
  readonly accesses: () => readonly HostAccess[];
  /** How many separate moments the kernel works on it. */
  readonly effects: number;
  /**
   * Carries out the next effect. `done` is called once, either before this returns or in a fresh macrotask;
   * `done(true)` says that no further effect will come, however many were announced.
   */
  effect(done: (last?: boolean) => void): void;
  /** Runs the callback or settles the promise. Ticks and microtasks are left to the caller to drain. */
  deliver(): void;
}

export interface PooledRequest extends RequestBase {
  readonly kind: 'pool';
  /** Work for which only half of the pool may be used. */
  readonly slow?: boolean;
  /** Each effect is over when {@link effect} returns, so that it may fall within a turn. */
  readonly inCall?: boolean;
  /** Node is at work on it already and goes on with it behind the run: tells, in a fresh macrotask, what has come by then. */
  handOver?(): void;
}

export interface TimedRequest extends RequestBase {
  readonly kind: 'timer';
  /** Whole ms. */
  readonly delay: number;
  /** Node starts it anew behind its callback; and this is such a start. */
  readonly repeats?: boolean;
  readonly again?: boolean;
  /** It was set before the run began, at its {@link site}, and {@link delay} is what was left of its time. */
  readonly isOlder?: boolean;
  /** Node looks after the connections of a server by it: the first name of that interval. */
  readonly upkeep?: string;
}

interface ImmediateRequest extends RequestBase {
  readonly kind: 'immediate';
}

/** Something has become ready outside of the pool. */
export interface ArrivedRequest extends RequestBase {
  readonly kind: 'external';
  readonly how: Arrival;
  /** By itself it comes behind what else is there. */
  readonly trails?: boolean;
  /** Another process brings it: how many events were recorded when the program last did something that it may have waited for. */
  readonly since?: number;
  /** A step of another process, which stands still until then: nothing of this one is late meanwhile. */
  readonly isOthers?: boolean;
}

/** The callback of a closed handle. */
interface ClosedRequest extends RequestBase {
  readonly kind: 'close';
}

export type HostRequest = PooledRequest | TimedRequest | ImmediateRequest | ArrivedRequest | ClosedRequest;

/** Node puts it off to the check phase. */
export const isPutOff = (request: HostRequest): boolean =>
  request.kind === 'external' && request.how.by === 'resolver';

/** Another process took its time for it. */
export const isAfterOthers = (request: HostRequest): boolean =>
  request.kind === 'external' && request.how.by === 'handle' && request.how.after !== undefined;
