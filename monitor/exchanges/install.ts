/** Has the requests told that reach servers of this process. */
import { addAdapter, onlyAdapter } from '../locks/adapters.ts';
import { installLockHooks } from '../locks/hooks.ts';
import { lightMyRequest } from './inject.ts';
import { watchServers } from './servers.ts';

/** Where modules are instrumented; to be called before any of the program's is loaded. */
export function watchRequests(): void {
  watchServers();
  addAdapter(lightMyRequest);
}

/** On plain Node: nothing else is looked at. */
export function watchRequestsAlone(): void {
  watchServers();
  onlyAdapter(lightMyRequest);
  installLockHooks();
}
