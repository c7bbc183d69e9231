/** What a gated run is asked for and what it gives back. */

import type { ChildRecord } from '../../data/child-record.ts';
import { ALL_RULES, type LoopOptions, type Rules } from '../../data/feasibility/rules.ts';
import type { RunLimits } from '../../data/run.ts';
import type { FoundByRun } from '../../data/trace.ts';
import type { FrameAccess, HostRules } from '../../monitor/host/controller.ts';
import type { HostRequest } from '../../monitor/host/request.ts';
import type { Stop, Strategy } from '../strategies/strategy.ts';
import type { Companions } from './companions.ts';

/** All rules of feasibility: those of the loop's model, those of the wrapped host, those of the gate. */
export interface GateRules extends Rules, HostRules {
  /** C6 a turn is drained before the next one. */
  readonly drains: boolean;
  /** C7 a failure in a run with events that were neither held nor foreseen is no proof. */
  readonly doubts: boolean;
  /** C7 who waits is stuck only where nobody outside could bring anything. */
  readonly outsiders: boolean;
  /** C7 behind each turn the real loop takes one, so that what nobody can list is told in time. */
  readonly rounds: boolean;
  /** C17 what is left at the end of a run is carried out. */
  readonly tidies: boolean;
  /** C12 virtual time does not outrun work that the gate does not control. */
  readonly leaps: boolean;
}

export const ALL_GATE_RULES: GateRules = {
  ...ALL_RULES,
  ...{ instant: true, fifo: true, traceless: true, copies: true, clocks: true, forgets: true },
  ...{ drains: true, doubts: true, outsiders: true, rounds: true, tidies: true, leaps: true },
};

/** Hears of everything that the gate does; recorders and watchers hang here. */
export interface GateObserver {
  /** How many events were recorded so far. */
  events?(): number;
  issued?(request: HostRequest): void;
  /** It will not be delivered. */
  takenBack?(request: HostRequest): void;
  /** `within`: in the middle of a turn. */
  effect?(request: HostRequest, within: boolean): void;
  /** A synchronous file operation was carried out; its accesses are known. */
  touched?(request: HostRequest): void;
  /** Just before the delivery runs. */
  turn?(request: HostRequest): void;
  turnEnd?(): void;
  /** The verdict is known; what follows only tidies up. */
  settled?(): void;
}

export interface GateOptions {
  readonly strategy: Strategy;
  readonly limits: RunLimits;
  readonly frames: FrameAccess;
  /** Rules to switch off, for tests that show what a rule prevents. */
  readonly rules?: Partial<GateRules>;
  /** Rows of the host that stay native, for tests that show what a row finds. */
  readonly without?: readonly string[];
  readonly observer?: GateObserver;
  /** Threads that take turns with this one. */
  readonly companions?: Companions;
  /** Told of each step before it is taken: should the process not survive it, this is all that is known. */
  readonly journal?: (step: string) => void;
  /** Keep, for each step, the names of all that were enabled. */
  readonly wantChoices?: boolean;
  /** `settled` (a test): the run ends with main's promise; `idle` (a script): when nothing is left to do. */
  readonly until?: 'settled' | 'idle';
  /** The process stays alive while the run lasts, whatever the run waits for (C16). */
  readonly keptAlive?: boolean;
  /** The program goes on behind the run: Node goes on with the timers that are left. By default they never fire. */
  readonly handsOver?: boolean;
  /** The process ends behind the run: what is left stays as it is, for whoever looks at it then. */
  readonly isLast?: boolean;
  /** Main is called within {@link runGated}, itself called in a callback of the loop: what that has left to microtasks comes behind it. */
  readonly atOnce?: boolean;
  /** The real time allowed is over: whether the run may go on. Asked now and then from there on; absent: it may not. */
  readonly goesOn?: () => boolean;
  /** Where in the loop main begins; by default `before` it. */
  readonly firstTurn?: LoopOptions['firstTurn'];
}

/** Where the strategy gave up. */
export interface Stopped extends Stop {
  /** How many steps had been taken. */
  readonly step: number;
  /** The step that was taken instead, if any. */
  readonly instead: string | null;
}

export interface Late {
  readonly api: string;
  readonly what: string;
  readonly ms: number;
}

/** An error that nobody handled; `promise` is the one that was rejected. */
export interface Unhandled {
  readonly error: unknown;
  readonly origin: 'exception' | 'rejection';
  readonly promise?: unknown;
}

export interface GateResult<T> {
  readonly status: 'ok' | 'fail' | 'deadlock' | 'watchdog';
  readonly value?: T;
  readonly error?: unknown;
  /** How the error came: main rejected, a callback threw, a promise was rejected unhandled. */
  readonly origin?: 'main' | 'exception' | 'rejection';
  /** Watchdog: why nothing more can be waited for, where it is not the time. */
  readonly missing?: string;
  /** Main was content, and its last turn left an error that nobody handled. */
  readonly afterwards?: Unhandled;
  /** The same of a turn behind that one; whoever runs main may have had the chance to prevent it. */
  readonly later?: Unhandled;
  readonly steps: string[];
  readonly choices?: string[][];
  /** Natural logarithm of the product of the numbers of enabled steps. */
  readonly breadth: number;
  /** A step was taken where a timer could have come as well, but for the real time that something beside the gate goes by (C12). */
  readonly paced: boolean;
  readonly stopped: Stopped | null;
  /** How late an answer of the host, and how long a pause of the CPU, this order presumes at least (C14). */
  readonly requiredStallMs: number;
  readonly requiredPauseMs: number;
  /** Requests answered later than they were issued, in virtual time; the latest first. */
  readonly late: readonly Late[];
  readonly clockMs: number;
  /** Host work that the gate does not control, by kind. */
  readonly ungated: Record<string, number>;
  /** Why a failure of this run is no proof: events came that the gate neither held nor foresaw. */
  readonly doubts: readonly string[];
  /** Deadlock and watchdog: what was still pending, one line each. */
  readonly waits: readonly string[];
  /** The processes that it has started. */
  readonly children?: readonly ChildRecord[];
  readonly around?: FoundByRun;
}
