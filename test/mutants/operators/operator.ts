import type { Visitor } from '@babel/traverse';
import type { Mutant } from '../mutant.ts';

/** What an operator works on; `replace` makes one mutant of some replaced ranges. */
export interface Source {
  readonly text: string;
  /** Ran in the tasks of the program: only there a change can matter. */
  ran(offset: number): boolean;
  mutant(operator: Mutant['operator'], line: number, edits: readonly Edit[]): void;
}

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** One kind of change: a visitor that reports every place where it can be made. */
export type Operator = (source: Source) => Visitor;
