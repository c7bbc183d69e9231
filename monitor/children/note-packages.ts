/** Tells of the packages with a driver that a child loads, before anybody has their exports. */
import Module from 'node:module';
import { basename, dirname } from 'node:path';
import { DRIVER_PACKAGES, packageLoaded } from '../drivers/packages.ts';
import { wrapMethod } from '../replace.ts';

const { _extensions } = Module as unknown as { readonly _extensions: object };

export function notePackages(): void {
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

/** The main file of these lies in a folder of theirs. */
function packageOf(path: string): string | null {
  const folder = dirname(dirname(path));
  const name = basename(folder);
  return DRIVER_PACKAGES.includes(name) && basename(dirname(folder)) === 'node_modules' ? name : null;
}
