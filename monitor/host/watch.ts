/**
 * Watched files and directories: what the kernel tells of them is held when it comes. Of what this process does itself it
 * has news at once, so that the next poll phase brings them (C9); other processes write when they write.
 */

import { replaceMethod } from '../replace.ts';
import { bindingOf } from './bindings.ts';
import type { Context } from './context.ts';
import type { HostLiveness, HostRequests } from './controller.ts';
import { fsBinding } from './fs-binding.ts';
import { displayPath, isOwnTemporary, pathOf } from './fs-paths.ts';
import { HeldSource } from './held.ts';
import { originOf } from './naming.ts';
import type { Call } from './net/binding.ts';
import { afterRounds } from './rounds.ts';

/** As it is before anything is wrapped. */
const { existsSync: isThere } = fsBinding() as unknown as { existsSync?: (path: unknown) => boolean };

/** Behind so many check phases all is there that an effect led to: one poll phase at least has begun since. */
const ROUNDS = 2;

export interface Watchers {
  /** The process has changed some file. */
  changed(): void;
  /** Something is watched. */
  watches(): boolean;
  /** All that is watched lies in temporary directories that this process made. */
  watchesOwn(): boolean;
}

/** `keep` takes over what the kernel answered; `later` calls in another round of the loop, as if the run were not there. */
export function wrapWatchers(
  controller: HostRequests & HostLiveness,
  capture: () => Context,
  later: (fn: () => void) => void,
  keep: (value: unknown) => unknown,
): Watchers {
  /** Those of the kernel that are open, and whether nobody else knows what they watch. */
  const open = new Map<object, boolean>();
  /** How many changes may still be told. */
  let changes = 0;
  const { FSEvent } = bindingOf('fs_event_wrap');
  wrap(FSEvent?.prototype, 'fs.watch');
  const { StatWatcher } = fsBinding() as unknown as { StatWatcher?: { prototype: Record<string, Call> } };
  wrap(StatWatcher?.prototype, 'fs.watchFile');

  function wrap(prototype: Record<string, Call> | undefined, api: string): void {
    const native = prototype?.['start'];
    const close = prototype?.['close'];
    if (!prototype || !native || !close) return;
    const sources = new WeakMap<object, HeldSource>();
    replaceMethod(prototype, 'close', function (this: object, ...args: unknown[]) {
      open.delete(this);
      sources.get(this)?.forget();
      return close.apply(this, args);
    });
    replaceMethod(prototype, 'start', function (this: { onchange: Call }, ...args: unknown[]) {
      if (controller.active(api)) {
        const what = displayPath(pathOf(args[0]));
        // Of a file that is not there it tells so at once.
        const came = api === 'fs.watchFile' && isThere?.(args[0]) === false ? controller.expect() : () => {};
        const source = new HeldSource(controller, api, what, originOf(controller, api), capture());
        sources.set(this, source);
        if (api === 'fs.watch') open.set(this, isOwnTemporary(pathOf(args[0])));
        const { onchange } = this;
        this.onchange = (...values) => {
          came();
          const own = source.isOfRun ? values.map(keep) : values;
          const prompt = open.has(this) && changes > 0;
          source.come(() => onchange.apply(this, own), { how: { by: 'handle', prompt } });
        };
      }
      return native.apply(this, args);
    });
  }

  return {
    watches: () => open.size > 0,
    watchesOwn: () => [...open.values()].every((isOwn) => isOwn),
    changed() {
      const came = controller.expect();
      changes += 1;
      afterRounds(ROUNDS, later, () => {
        changes -= 1;
        came();
      });
    },
  };
}
