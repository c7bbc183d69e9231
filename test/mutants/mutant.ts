/** A program with one change. */
export interface Mutant {
  readonly operator: 'unlock' | 'unchain' | 'earlier' | 'later' | 'swapped';
  /** Line of the change, from 1. */
  readonly line: number;
  /** The whole changed text. */
  readonly text: string;
}
