/** What the program asks of the host, and who decides when it is answered. */
import type { Arrival } from '../../data/feasibility/arrivals.ts';
import type { Frame } from '../runtime/types.ts';
import type { Context } from './context.ts';

/** One entity that a request touches. */
export interface HostAccess {
  readonly entity: string;
  readonly write: boolean;
}

/** One request entering the host; the controller decides when it takes effect and when it is delivered. */
interface Asked {
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

export interface PooledRequest extends Asked {
  readonly kind: 'pool';
  /** Work for which only half of the pool may be used. */
  readonly slow?: boolean;
  /** Each effect is over when {@link effect} returns, so that it may fall within a turn. */
  readonly inCall?: boolean;
}

export interface TimedRequest extends Asked {
  readonly kind: 'timer';
  /** Whole ms. */
  readonly delay: number;
  /** Node starts it anew behind its callback; and this is such a start. */
  readonly repeats?: boolean;
  readonly again?: boolean;
}

export interface ImmediateRequest extends Asked {
  readonly kind: 'immediate';
}

/** Something has become ready outside of the pool. */
export interface ArrivedRequest extends Asked {
  readonly kind: 'external';
  readonly how: Arrival;
  /** By itself it comes behind what else is there. */
  readonly trails?: boolean;
}

/** The callback of a closed handle. */
export interface ClosedRequest extends Asked {
  readonly kind: 'close';
}

export type HostRequest = PooledRequest | TimedRequest | ImmediateRequest | ArrivedRequest | ClosedRequest;

/** Node puts it off to the check phase. */
export const isPutOff = (request: HostRequest): boolean =>
  request.kind === 'external' && request.how.by === 'resolver';

/** Another process took its time for it. */
export const isAfterOthers = (request: HostRequest): boolean =>
  request.kind === 'external' && request.how.by === 'handle' && request.how.after !== undefined;

/** How the host reaches the runtime that knows which activation is running. */
export interface FrameAccess {
  /** The activation that is running, if instrumented code is. */
  cur(): Frame | null;
  /** Runs `fn` with `frame` as the running activation. */
  runAs<T>(frame: Frame | null, fn: () => T): T;
  /** The activation for the callback of a delivered request. */
  deliveryFrame(request: HostRequest): Frame;
  /** The program point that is running, where the runtime knows it. */
  site?(): number;
}

/** Decides about every request of the program under test. There is one per process. */
export interface HostController {
  /**
   * True where the running code belongs to a run: then its requests are issued here, else they stay native. `api`: what
   * it is about to ask for; a test may leave one row of the host native to show what it finds.
   */
  active(api?: string): boolean;
  /** A turn of the program is running. */
  readonly running: boolean;
  /** Runs all ticks and microtasks that are due, as Node does between two callbacks. */
  drain(): void;
  /** The context in which the present run began: for callbacks of what is older than the run. */
  readonly base: Context;
  readonly frames: FrameAccess;
  /** The request whose turn this is, if any: what is issued without a frame was caused by it. */
  readonly turn: HostRequest | null;
  /** Owns the ordinals of requests that nothing else explains; another object in every run. */
  readonly root: object;
  /** Takes over a request: gives it an id and decides from now on. */
  issue(request: HostRequest): void;
  /**
   * The program took a timer or an immediate back, perhaps in its own callback; `putOff`: a timer that it starts anew in
   * the same moment.
   */
  cancel(request: HostRequest, putOff?: boolean): void;
  /** The program changed whether a timer or an immediate keeps the process alive. */
  setRef(request: HostRequest, ref: boolean): void;
  /** A synchronous call is about to touch something; requests that are under way may take effect before (C8). */
  touching(): void;
  /** A synchronous call touched something; it took effect already. */
  touched(request: HostRequest): void;
  /**
   * Work began that the controller does not decide about; the answer is to be called when it is over. `keepsAlive`: whether
   * the process waits for it; by default it does.
   */
  begin(api: string, keepsAlive?: () => boolean): () => void;
  /** News will come soon; the answer is to be called when they are there. No step is taken before, for a while. */
  expect(): () => void;
  /** Events will come that the controller neither holds nor foresees: a failure of this run is no proof. */
  doubt(what: string): void;
  /** Whether {@link doubt} was said of this in the present run. */
  doubts(what: string): boolean;
  /** The program is told the time by a clock that is not ours: no proof where ours has leapt. */
  otherClock(what: string): void;
  /** Virtual ms since the run began; the program is reading the clock, or somebody of whom it does not hear. */
  clock(isUnheard: () => boolean): number;
  /** The program has waited within the present turn for so many whole ms, for a child or for itself. */
  waited(ms: number, isChild?: boolean): void;
  /** ms of the epoch, and of the monotonic clock, at which the run began. */
  epoch(): number;
  monotonic(): number;
  /** The position of the present moment among all that is issued. */
  place(): number;
  /**
   * The same where a callback is running, not its ticks, of something that Node had put off: what it puts off now comes
   * behind that in the same turn. Else -1.
   */
  amidHeads(): number;
  /** The present moment of the run, for {@link timeOf}. */
  moment(): number;
  /** ms of the epoch at which that moment lies. The program is told: it cannot turn out to lie elsewhere. */
  timeOf(moment: number): number;
  /**
   * The virtual time of something that others did at a moment of real time; both are ms of the epoch. `doubtful`: the
   * clock leapt so close to it that nobody knows on which side it was.
   */
  virtualTime(real: number): { readonly time: number; readonly doubtful: boolean };
  readonly rules: HostRules;
  /** File operations take their trip through the thread pool, which under a gate would only cost time. */
  readonly usesPool: boolean;
  /** What is told in the closing phase is held, too; else it comes when that phase does. */
  readonly holdsCloses: boolean;
  /** Whether calls that the user named complete like host requests in the present run. */
  readonly assumesIo: boolean;
}

/** Rules that the wrapped host itself keeps; each can be switched off to show what it prevents. */
export interface HostRules {
  /** C1 what is answered within the call is told at once. */
  readonly instant: boolean;
  /** C4 events of one source are told in the order in which they came. */
  readonly fifo: boolean;
  /** C15 what a socket has not delivered it has not read. */
  readonly traceless: boolean;
  /** C11 answers in buffers that Node shares are copied on arrival. */
  readonly copies: boolean;
  /** C13 every clock that the program can read is the virtual one. */
  readonly clocks: boolean;
  /** C18 what is closed tells nothing more. */
  readonly forgets: boolean;
}
