/**
 * Drivers that are packages: who wraps them is told of each copy that the program loads. The hooks of the loader know them by
 * name alone, so that a process in which nothing is wrapped loads no driver.
 */
export const DRIVER_PACKAGES: readonly string[] = ['better-sqlite3'];

type WrapExports = (exports: object) => void;

/** By package name: its copies. */
const loaded = new Map<string, Set<object>>();
const wraps = new Map<string, WrapExports>();

/** A copy of a package was loaded; `exports`: what its main file gives to `require`. */
export function packageLoaded(name: string, exports: object): void {
  const copies = loaded.get(name) ?? new Set();
  if (copies.has(exports)) return;
  loaded.set(name, copies.add(exports));
  wraps.get(name)?.(exports);
}

/** Calls `wrap` with each copy of a package, loaded or yet to be. */
export function whenPackageLoaded(name: string, wrap: WrapExports): void {
  wraps.set(name, wrap);
  for (const exports of loaded.get(name) ?? []) wrap(exports);
}
