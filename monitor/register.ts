/** Preload for `node --import`: from here on the user's sources are instrumented as they load. */
import { setFlagsFromString } from 'node:v8';
import { install } from './loader/hooks.ts';
import { loaderConfig } from './loader/load.ts';
import { installLockHooks } from './locks/hooks.ts';
import { loadAdapters } from './locks/user.ts';
import { patchToString } from './runtime/index.ts';

export { configure, instrumentFile, loaderConfig } from './loader/load.ts';

// Hooks are small and many; with the default limit the compiler stops inlining them half way through a
// function, and arithmetic code becomes four times slower than need be.
setFlagsFromString('--max-inlined-bytecode-size-cumulative=10000');
patchToString();
// Before the hooks: adapters belong to the monitor, and are not instrumented.
await loadAdapters(loaderConfig().locks);
install();
installLockHooks();
