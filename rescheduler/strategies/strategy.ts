/** The whole contract of a strategy: given what could happen next, say what does. */
import type { Step } from '../../data/feasibility/exact/loop.ts';
import type { HostRequest } from '../../monitor/host/request.ts';

/** A step that the loop could take now. */
export interface ReadyStep {
  /**
   * `E:` (effect), `X:` (its thread is free, before delivery) or `D:` (delivery), and the request's name; `1:` to `9:`:
   * an effect within the turn that the step before began, before its first to ninth synchronous call that touches files.
   */
  readonly name: string;
  readonly step: Step;
  readonly request: HostRequest;
  /** Position of the request in issue order. */
  readonly order: number;
}

export interface GateView {
  /** Virtual time, ms. */
  readonly now: number;
  /** The {@link ReadyStep.order} up to which requests were issued when the program last waited within a turn; 0: it never did. */
  readonly slept: number;
  /** Names of the requests that were issued and are not finished. */
  pendingNames(): ReadonlySet<string>;
  /** Names of the steps taken so far. */
  readonly taken: readonly string[];
  /**
   * Whether real time may bring a step of this name, or without one any news: something outside is at work, and may be
   * waited for (C12).
   */
  mayCome(step?: string): boolean;
}

/** The strategy gives up: what it wants can no longer happen. The run goes on in the observed order. */
export interface Stop {
  /** `infeasible`: wanted was issued but is not enabled and never will be; `diverged`: it was never issued. */
  readonly stop: 'infeasible' | 'diverged';
  readonly wanted: string;
  /** Which of the wanted steps it was. */
  readonly at?: number;
}

/**
 * Nothing of what is enabled happens yet: asked again when something has come from outside, after so many ms of real time
 * at the latest. Only where something {@link GateView.mayCome}.
 */
export interface Wait {
  readonly wait: number;
}

/** As long as the gate allows. */
export const WAIT: Wait = { wait: Number.POSITIVE_INFINITY };

/** Asked only when nothing is in flight; `enabled` is not empty and sorted by name. */
export interface Strategy {
  choose(enabled: readonly ReadyStep[], view: GateView): ReadyStep | Stop | Wait;
  /**
   * The turn is about to make a synchronous call: which of these effects comes before it, if any does. Asked again until
   * none does. Without it effects fall between turns.
   */
  early?(effects: readonly ReadyStep[], view: GateView): ReadyStep | null;
  /**
   * The callback of an answer of a name server has returned: which of these others comes in the same turn, before its ticks
   * and microtasks, if any does. Asked again until none does.
   */
  sameTurn?(answers: readonly ReadyStep[], view: GateView): ReadyStep | null;
}
