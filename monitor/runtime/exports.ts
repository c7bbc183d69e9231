/** Which scope is behind a name that another module imports. */

/** By file; a file loaded again is another scope. */
const modules = new Map<string, { readonly scope: number; readonly names: ReadonlySet<string> }>();

/** A module's scope was entered; `names`: the variables that it exports and somebody assigns, joined by commas. */
export function register(file: string, scope: number, names: string): void {
  modules.set(file, { scope, names: new Set(names.split(',')) });
}

/** The scope behind an imported name; undefined where that is no variable that anybody assigns. */
export function exportingScope(file: string, name: string): number | undefined {
  const module = modules.get(file);
  return module?.names.has(name) ? module.scope : undefined;
}
