/** What keeps correct operations from looking wrong; each can be switched off by tests that show what it prevents. */
export interface OracleRules {
  /** What differs between executions of one serial order may be anything. */
  readonly masks: boolean;
  /** `Map` and `Set` have no order. */
  readonly unordered: boolean;
  /** Numbers in the text of an error say nothing. */
  readonly errorTexts: boolean;
  /** What is returned is compared as it was then. */
  readonly copies: boolean;
  /** It is looked at when nothing is under way any more; what a call leaves behind comes before the next one, or does not. */
  readonly rests: boolean;
  /** A call that waits for another one does not keep that from being made. */
  readonly blocks: boolean;
  /** A call that was refused is as if it had not been made. */
  readonly refusals: boolean;
  /** Numbers that calls get by their place in the order are names. */
  readonly counters: boolean;
}

export const ALL_ORACLE_RULES: OracleRules = {
  ...{ masks: true, unordered: true, errorTexts: true, copies: true },
  ...{ rests: true, blocks: true, refusals: true, counters: true },
};
