/** From here on the user's sources are instrumented as they load in this thread. */
import { setFlagsFromString } from 'node:v8';
import { install } from './loader/hooks.ts';
import { installLockHooks } from './locks/hooks.ts';
import { patchToString } from './runtime/index.ts';

export function beginMonitor(): void {
  // Hooks are small and many; with the default limit the compiler stops inlining them half way through a
  // function, and arithmetic code becomes four times slower than need be.
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=10000');
  patchToString();
  install();
  installLockHooks();
}
