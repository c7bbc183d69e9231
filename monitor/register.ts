/** Preload for `node --import`: from here on the user's sources are instrumented as they load. */

import { beginMonitor } from './begin.ts';
import { loaderConfig } from './loader/config.ts';
import { loadAdapters } from './locks/user.ts';

export { configure, loaderConfig } from './loader/config.ts';
export { instrumentFile } from './loader/load.ts';

// Before the hooks: adapters belong to the monitor, and are not instrumented.
await loadAdapters(loaderConfig().locks);
beginMonitor();
