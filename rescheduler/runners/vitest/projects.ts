/**
 * Projects that a configuration names by folders, files or globs, written out as Vitest would read them: only so can
 * something be added to them.
 */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The files by which Vitest configures a folder, best first. */
export const CONFIG_NAMES = ['vitest.config', 'vite.config'].flatMap((name) =>
  ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'].map((extension) => name + extension),
);

/** Files that list projects, before Vitest 4. */
const WORKSPACE_NAMES = ['vitest.workspace', 'vitest.projects'].flatMap((name) =>
  ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json'].map((extension) => name + extension),
);

/** The projects of a workspace; null: there is none. `given`: the option, which is the list or names its file. */
export async function workspaceAt(given: unknown, root: string): Promise<readonly unknown[] | null> {
  if (Array.isArray(given)) return given;
  const named = typeof given === 'string' ? [given] : WORKSPACE_NAMES;
  const file = named.map((name) => resolve(root, name)).find((path) => existsSync(path));
  if (file === undefined) return null;
  if (file.endsWith('.json')) return JSON.parse(readFileSync(file, 'utf8')) as unknown[];
  const { default: list } = (await import(pathToFileURL(file).href)) as { default: unknown };
  return (await (typeof list === 'function' ? list() : list)) as unknown[];
}

export interface FoundProject {
  readonly folder: string;
  /** Null where it has none. */
  readonly file: string | null;
}

/** The projects that strings of `projects` mean, in a configuration with this root. */
export function projectsAt(given: readonly string[], root: string): FoundProject[] {
  const all = given.map((each) => each.replace('<rootDir>', () => root));
  const isGlob = (text: string) => /[*?{}[\]()!]/.test(text);
  const excluded = all.filter((text) => text.startsWith('!')).map((text) => text.slice(1));
  const exclude = [...excluded, '**/node_modules/**', '**/*.timestamp-*'];
  const found = all
    .filter((text) => !text.startsWith('!'))
    .flatMap((text) => (isGlob(text) ? globSync(text, { cwd: root, exclude }).sort() : [text]))
    .map((path) => resolve(root, path))
    .filter((path) => existsSync(path));
  return [...new Set(found)].map((path) => {
    if (statSync(path).isFile()) return { folder: dirname(path), file: path };
    const file = CONFIG_NAMES.map((name) => join(path, name)).find((each) => existsSync(each));
    return { folder: path, file: file ?? null };
  });
}

/** How Vitest calls a project that has no name of its own. */
export function nameOfFolder(folder: string): string {
  const manifest = join(folder, 'package.json');
  const { name } = (existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {}) as {
    name?: string;
  };
  return name || basename(folder);
}
