/** What a process did that a run has started, as far as it is known. */
export interface ChildRecord {
  readonly name: string;
  /** The stable name of the request that tells its end. */
  readonly exit: string;
  /** The path of the activation that its steps belong to. */
  readonly path: string;
  /** The name of the child that has started it; null: the program has. */
  readonly startedBy: string | null;
  /** The source of the user's that it runs, relative to the working directory; null: none, as far as is known. */
  readonly program: string | null;
  /** When it began and ended, among all of them. */
  readonly begin: number;
  readonly end: number;
  /** How many events of the program were recorded then. */
  readonly from: number;
  readonly to: number;
  /** It told what it touched. */
  readonly isSeen: boolean;
  /** While others were beside it, what it did with files were steps, whose orders are judged. */
  readonly isJudged: boolean;
  /** By entity, whether it wrote: what was no step, and what was. */
  readonly touched: ReadonlyMap<string, boolean>;
  readonly stepped: ReadonlyMap<string, boolean>;
}
