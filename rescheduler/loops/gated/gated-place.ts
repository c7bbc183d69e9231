import type { WorkerPlace } from '../forks.ts';

/** What the entry of a worker is told. */
export interface GatedPlace extends WorkerPlace {
  /** A URL or path as the program gave it, or the text. */
  readonly file: string;
  readonly isText: boolean;
}
