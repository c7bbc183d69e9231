/** Steps by number: per request its effects, the end of its thread, its delivery. */
export const EFFECT = 0;
/** The thread of the pool is given back before the delivery. */
export const END = 1;
export const DELIVER = 2;

export interface NumberedSteps {
  readonly count: number;
  /** The first step of each request. */
  readonly first: Int32Array;
  /** By step: its request, and what it is. */
  readonly request: Int32Array;
  readonly kind: Uint8Array;
}
