/** From here on the user's sources are instrumented as they load in this thread. */
import { watchRequests } from './exchanges/install.ts';
import { watchCompiled } from './loader/compiled.ts';
import { loaderConfig } from './loader/config.ts';
import { install } from './loader/hooks.ts';
import { tellTestCallsAlone } from './loader/load.ts';
import { installLockHooks } from './locks/hooks.ts';
import { patchToString } from './runtime/index.ts';

export function beginMonitor(): void {
  patchToString();
  install();
  watchCompiled();
  if (loaderConfig().overlaps === 'requests') watchRequests();
  installLockHooks();
}

/** On plain Node: nothing but the calls of tests is looked at. */
export function watchTestCallsAlone(): void {
  tellTestCallsAlone();
  install();
  watchCompiled();
}
