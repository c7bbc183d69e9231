/** Watched files and directories: what the kernel tells of them is held when it comes. */

import { replaceMethod } from '../replace.ts';
import { originOf } from './arrival.ts';
import { bindingOf } from './bindings.ts';
import type { Context } from './context.ts';
import { fsBinding } from './fs-binding.ts';
import { displayPath, pathOf } from './fs-paths.ts';
import { HeldSource } from './held.ts';
import type { Call } from './net/binding.ts';
import type { HostController } from './request.ts';

/** As it is before anything is wrapped. */
const { existsSync: isThere } = fsBinding() as unknown as { existsSync?: (path: unknown) => boolean };

/** `keep` takes over what the kernel answered. */
export function wrapWatchers(
  controller: HostController,
  capture: () => Context,
  keep: (value: unknown) => unknown,
): void {
  const { FSEvent } = bindingOf('fs_event_wrap');
  wrap(FSEvent?.prototype, 'fs.watch');
  const { StatWatcher } = fsBinding() as unknown as { StatWatcher?: { prototype: Record<string, Call> } };
  wrap(StatWatcher?.prototype, 'fs.watchFile');

  function wrap(prototype: Record<string, Call> | undefined, api: string): void {
    const native = prototype?.['start'];
    if (!prototype || !native) return;
    replaceMethod(prototype, 'start', function (this: { onchange: Call }, ...args: unknown[]) {
      if (controller.active(api)) {
        const what = displayPath(pathOf(args[0]));
        // Of a file that is not there it tells so at once.
        const came = api === 'fs.watchFile' && isThere?.(args[0]) === false ? controller.expect() : () => {};
        const source = new HeldSource(controller, api, what, originOf(controller, api), capture());
        const { onchange } = this;
        this.onchange = (...values) => {
          came();
          const own = source.isOfRun ? values.map(keep) : values;
          source.come(() => onchange.apply(this, own));
        };
      }
      return native.apply(this, args);
    });
  }
}
