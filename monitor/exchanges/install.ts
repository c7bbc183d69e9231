/** Has the requests told that reach programs of this process without a connection; those of servers need no preparation. */
import { addAdapter, onlyAdapter } from '../locks/adapters.ts';
import { installLockHooks } from '../locks/hooks.ts';
import { lightMyRequest } from './inject.ts';

/** Where modules are instrumented; to be called before any of the program's is loaded. */
export function watchRequests(): void {
  addAdapter(lightMyRequest);
}

/** On plain Node: nothing else is looked at. */
export function watchRequestsAlone(): void {
  onlyAdapter(lightMyRequest);
  installLockHooks();
}
