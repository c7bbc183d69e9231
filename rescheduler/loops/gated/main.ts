/** The main thread of a program under the gate, where this is one. */
import type { GatedPart } from './gated-part.ts';

export interface GatedMain {
  readonly part: GatedPart;
  /** The body of the test has passed: what its file does further may take a little while. */
  passed(): void;
}

let main: GatedMain | null = null;

export const gatedMain = (): GatedMain | null => main;

export function setGatedMain(own: GatedMain): void {
  main = own;
}
