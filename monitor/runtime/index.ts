/** The public face of the runtime. */
export { ActivationFrame } from './frames.ts';
export { FOREIGN_SITES } from './points.ts';
export { type Runtime, runtime } from './runtime.ts';
export type { Delivery, FrameStack } from './scopes.ts';
export { originalText, patchToString } from './to-string.ts';
export type { AccessSink, Combinator, Frame, RuntimeObserver, SiteInfo } from './types.ts';
export { plainMessage } from './wording.ts';
