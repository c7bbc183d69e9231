/** Programs that can never fail in real Node: a failure under the gate is a false one. */
import type { GateRules } from '../../../../rescheduler/gate/result.ts';

export type Program = (directory: string) => Promise<unknown>;

/** A program, and what running it takes. */
export interface Case {
  readonly run: Program;
  /** Natively it would take seconds, or depend on how busy the machine is: it is only run under the gate. */
  readonly slow?: boolean;
  /** Orders to try, where fewer than usual must do. */
  readonly orders?: number;
  /** The rule without which it fails falsely. */
  readonly needs?: keyof GateRules;
  /** It relies on the kernel: over a network it fails, and never where loopback is strict. */
  readonly strict?: boolean;
  /** It never ends; anything but a failure is right. */
  readonly endless?: boolean;
  /** It uses what is neither held nor foreseen: its failures are no proof. */
  readonly doubtful?: boolean;
}

/** The program saw what real Node cannot show. */
export function impossible(what: unknown): never {
  throw new Error(`impossible: ${what}`);
}

/** A promise and its functions; the callbacks of Node's APIs are easier to write around it. */
export function answer<T = unknown>(
  start: (resolve: (value?: any) => void, reject: (error: unknown) => void) => void,
): Promise<T> {
  return new Promise<T>(start);
}
