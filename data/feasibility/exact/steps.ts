/** Steps of the event loop: what it does next. */
export type StepKind = 'effect' | 'end' | 'deliver' | 'timer' | 'immediate' | 'close';

export interface Step {
  readonly kind: StepKind;
  /** Id of the request, as given at issue. */
  readonly id: number;
  /** How much later than at the earliest something must have happened for this step, ms (C3). */
  readonly pause: number;
  /** Timers: the virtual time at which it fires. */
  readonly due?: number;
}
