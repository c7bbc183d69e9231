/** The public face of the instrumenter. */
export { type Applied, applyInsertions, type Insertion } from './edits.ts';
export { instrument, plan } from './instrument.ts';
export type { Instrumented, InstrumentOptions, Plan, Skipped } from './types.ts';
