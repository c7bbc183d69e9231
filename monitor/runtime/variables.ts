/** Hooks of variables that closures share. */
import { register } from './exports.ts';
import { Entry, note } from './pending.ts';
import { left, madeIn } from './points.ts';

let lastScope = 0;
/** Points fit into this many; a scope's id tells its point without a table. */
const SCOPE_SITES = 2 ** 22;

/** A variable scope is entered: a number, negative so that no object has it. */
export function scope(site: number): number {
  return -(++lastScope * SCOPE_SITES + site);
}

/** The scope of a module that exports variables: their names, joined by commas. */
export function exporting(site: number, names: string): number {
  const entered = scope(site);
  register(madeIn(site)?.file ?? '', entered, names);
  return entered;
}

/** A variable of another module is read. */
export function ri<V>(site: number, file: string, v: V): V {
  if (left[site] !== 0) note(site, Entry.ReadImport, null, file);
  return v;
}

/** The point where a scope was entered. */
export function scopeSite(target: number): number {
  return -target % SCOPE_SITES;
}

/** A variable is read. */
export function rv<V>(site: number, target: number | undefined, v?: V): V {
  if (left[site] !== 0) note(site, Entry.ReadVariable, null, target);
  return v as V;
}

/** A variable has been written. */
export function wv<V>(site: number, target: number | undefined, v: V): V {
  if (left[site] !== 0) note(site, Entry.WriteVariable, null, target);
  return v;
}
