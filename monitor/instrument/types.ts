/** What the instrumenter is asked and what it answers. */
import type { SiteInfo } from '../runtime/types.ts';
import type { Insertion } from './edits.ts';

export interface InstrumentOptions {
  /** Relative to the working directory; only for the table of points. */
  readonly file: string;
  readonly kind: 'module' | 'commonjs';
  readonly typescript: boolean;
  readonly jsx?: boolean;
  /** Functions whose calls may be made to complete like a host request, as `file-glob#function`. */
  readonly assumeIo?: readonly string[];
  /** What else the places of its points depend on: the map that the text names. */
  readonly map?: string;
  /** Calls that tests make are told: in a program that is looked into, or `alone` in one that is not. */
  readonly testCalls?: 'too' | 'alone';
  /** A program of threads: other rules. */
  readonly threads?: boolean;
}

/** Something left alone because it could not be done without changing the program. */
export interface Skipped {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/** The result before point numbers are given: this is what the disk cache keeps. */
export interface Plan {
  readonly insertions: readonly Insertion[];
  readonly sites: readonly SiteInfo[];
  readonly skipped: readonly Skipped[];
}

export interface Instrumented {
  readonly code: string;
  readonly sites: readonly SiteInfo[];
  readonly skipped: readonly Skipped[];
  /** Pairs of position in `code` and length of what was put in there. */
  readonly inserted: Int32Array;
}
