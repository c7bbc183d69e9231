/** One call of an async function. */
export interface ThreadActivation {
  /** From 1; the same in every execution that goes alike. */
  readonly id: number;
  /** The call that made it; 0: none of an async function. */
  readonly parent: number;
  readonly point: number;
  /** Where it waits, or waited last; its beginning before that. */
  at: number;
  /** It was suspended before: who called it is not below it on the stack. */
  isResumed: boolean;
  /** Whose code goes on when this one gives way. */
  saved: ThreadActivation | null;
}
