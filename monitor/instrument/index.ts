/** The public face of the instrumenter. */
export { instrument } from './instrument.ts';
export type { InstrumentOptions } from './types.ts';
