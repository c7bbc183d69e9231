/** Who decides when the host answers, as four things that the files of the host ask for one by one. */
import type { Site } from '../../data/trace.ts';
import type { Frame } from '../runtime/types.ts';
import type { Context } from './context.ts';
import type { HostRequest } from './request.ts';

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
  /** The activation that a child process is, and a further stretch of it. */
  processFrame?(name: string, path: string): Frame;
  goOn?(frame: Frame, fn: () => void): void;
  /** The program point at a place that is not instrumented. */
  pointAt?(place: Site): number;
}

/** The run; an earlier one, which has left it; what is around runs, a hook, say; or we, natively. */
export type BegunBy = 'run' | 'earlier' | 'around' | 'us';

/** Decides about every request of the program under test: when it takes effect and when it is answered. */
export interface HostRequests {
  /**
   * True where the running code belongs to a run: then its requests are issued here, else they stay native. `api`: what
   * it is about to ask for; a test may leave one row of the host native to show what it finds.
   */
  active(api?: string): boolean;
  /** A turn of the program is running. */
  readonly running: boolean;
  /** By whom the running code was begun. */
  begunBy(): BegunBy;
  /** Code around a run that is on, and waits for what such code sets, is running. */
  readonly takesOver: boolean;
  /** Runs all ticks and microtasks that are due, as Node does between two callbacks. */
  drain(): void;
  /** The context in which the present run began: for callbacks of what is older than the run. */
  readonly base: Context;
  readonly frames: FrameAccess;
  /** The request whose turn this is, if any: what is issued without a frame was caused by it. */
  readonly turn: HostRequest | null;
  /** Owns the ordinals of requests that nothing else explains; another object in every run. */
  readonly root: object;
  /** How many events were recorded so far; 0 where nothing is. */
  events(): number;
  /** Takes over a request: gives it an id and decides from now on. */
  issue(request: HostRequest): void;
  /**
   * The program took a timer or an immediate back, perhaps in its own callback; `restarts`: a timer that it starts anew in
   * the same moment.
   */
  cancel(request: HostRequest, restarts?: boolean): void;
  /** The program changed whether a timer or an immediate keeps the process alive. */
  setRef(request: HostRequest, ref: boolean): void;
  /**
   * A synchronous call is about to touch something; requests that are under way may take effect before (C8). `what`: what it is
   * about, for people.
   */
  touching(api: string, what: () => string): void;
  /** A synchronous call touched something; it took effect already. */
  touched(request: HostRequest): void;
  /** The position of the present moment among all that is issued. */
  place(): number;
  /**
   * The same where a callback is running, not its ticks, of something that Node had put off: what it puts off now comes
   * behind that in the same turn. Else -1.
   */
  amidHeads(): number;
  readonly rules: HostRules;
  /** File operations take their trip through the thread pool, which under a gate would only cost time. */
  readonly usesPool: boolean;
  /** What is told in the closing phase is held, too; else it comes when that phase does. */
  readonly holdsCloses: boolean;
  /** Whether processes that the program starts take their steps among its own; threads beside it could not tell where. */
  readonly follows: boolean;
  /** Whether one of them does so although no other one is beside it. */
  readonly asksAlone: boolean;
  /** Whether calls that the user named complete like host requests in the present run. */
  readonly assumesIo: boolean;
}

/** What time it is in the program. */
export interface HostClock {
  /** Virtual ms since the run began; the program is reading the clock, or somebody of whom it does not hear. */
  clock(isUnheard: () => boolean): number;
  /** The program has waited within the present turn for so many whole ms, for a child or for itself. */
  waited(ms: number, isChild?: boolean): void;
  /** ms of the epoch, and of the monotonic clock, at which the run began. */
  epoch(): number;
  monotonic(): number;
  /** The present moment of the run, for {@link timeOf}. */
  moment(): number;
  /** ms of the epoch at which that moment lies. The program is told: it cannot turn out to lie elsewhere. */
  timeOf(moment: number): number;
  /**
   * The virtual time of something that others did at a moment of real time; both are ms of the epoch. `doubtful`: the
   * clock leapt so close to it that nobody knows on which side it was.
   */
  virtualTime(real: number): { readonly time: number; readonly doubtful: boolean };
}

/** What is under way that nobody decides about. */
export interface HostLiveness {
  /**
   * Work began that the controller does not decide about; the answer is to be called when it is over. `keepsAlive`: whether
   * the process waits for it; by default it does.
   */
  begin(api: string, keepsAlive?: () => boolean): () => void;
  /** News will come soon; the answer is to be called when they are there. No step is taken before, for a while. */
  expect(): () => void;
  /** Another process, whose steps have names that begin so, waits for what somebody has to release; or waits no more. */
  stands(process: string, isStanding: boolean): void;
}

/** What makes a failure of this run no proof. */
export interface HostDoubts {
  /** Events will come that the controller neither holds nor foresees: a failure of this run is no proof. */
  doubt(what: string): void;
  /** Whether {@link doubt} was said of this in the present run. */
  doubts(what: string): boolean;
  /** The program is told the time by a clock that is not ours: no proof where ours has leapt. */
  otherClock(what: string): void;
}

/** There is one per process. */
export interface HostController extends HostRequests, HostClock, HostLiveness, HostDoubts {}

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
