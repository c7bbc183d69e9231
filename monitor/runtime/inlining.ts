/** How much of the hooks the compiler puts in place. */
import { setFlagsFromString } from 'node:v8';

let isSet = false;

/**
 * Hooks are small and many; with the default limit the compiler stops inlining them half way through a function, and
 * arithmetic code becomes four times slower than need be. To be called when our own modules have been loaded: from then
 * on Node's compile cache takes nothing that other processes left in it, and leaves there what they do not take.
 */
export function inlineHooks(): void {
  if (!isSet) setFlagsFromString('--max-inlined-bytecode-size-cumulative=10000');
  isSet = true;
}
