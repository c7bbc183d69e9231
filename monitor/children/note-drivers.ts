/**
 * Wraps the drivers that a child loads, before anybody has their exports. Most children load none, and are not kept waiting for it:
 * where Node keeps its own modules is looked for when one of these is asked for.
 */
import Module, { isBuiltin, registerHooks } from 'node:module';
import { basename, dirname } from 'node:path';
import { DRIVERS, installDrivers } from '../drivers/install.ts';
import { DRIVER_PACKAGES, packageLoaded } from '../drivers/packages.ts';
import type { StatementOrder } from '../drivers/statement.ts';
import { wrapMethod } from '../replace.ts';
import type { ChildNotes } from './notes.ts';
import { ChildDrivers } from './statements.ts';

const { _extensions } = Module as unknown as { readonly _extensions: object };
const bare = (name: string): string => name.replace(/^node:/, '');

export function noteDrivers(notes: ChildNotes, order: StatementOrder): void {
  const host = new ChildDrivers(notes);
  const waiting = new Set(DRIVERS.filter(({ module }) => isBuiltin(module)));
  const asked = (name: string): void => {
    for (const driver of waiting)
      if (bare(driver.module) === bare(name)) {
        waiting.delete(driver);
        installDrivers(host, [driver], order);
      }
  };
  installDrivers(
    host,
    DRIVERS.filter((driver) => !waiting.has(driver)),
    order,
  );
  registerHooks({
    resolve(name, context, next) {
      if (waiting.size > 0) asked(name);
      return next(name, context);
    },
  });
  wrapMethod(
    process,
    'getBuiltinModule',
    (native) =>
      function (this: unknown, ...args) {
        asked(String(args[0]));
        return native.apply(this, args);
      },
  );
  wrapMethod(
    _extensions,
    '.js',
    (native) =>
      function (this: unknown, ...args) {
        const loaded = native.apply(this, args);
        const [{ exports }, path] = args as [{ readonly exports: unknown }, string];
        const name = packageOf(path);
        if (name !== null && typeof exports === 'function') packageLoaded(name, exports);
        return loaded;
      },
  );
}

/** What other addons do, with files too, nobody looks at: a driver that is not known is one of them. */
export function noteAddons(notes: ChildNotes): void {
  wrapMethod(
    process,
    'dlopen',
    (native) =>
      function (this: unknown, ...args) {
        if (!isDriver(String(args[1]))) notes.tell({ kind: 'unseen', what: 'an addon' });
        return native.apply(this, args);
      },
  );
}

const isDriver = (path: string): boolean =>
  path
    .split(/[\\/]/)
    .some((folder, at, folders) => folders[at - 1] === 'node_modules' && DRIVER_PACKAGES.includes(folder));

/** The main file of these lies in a folder of theirs. */
function packageOf(path: string): string | null {
  const folder = dirname(dirname(path));
  const name = basename(folder);
  return DRIVER_PACKAGES.includes(name) && basename(dirname(folder)) === 'node_modules' ? name : null;
}
