/** Files as machines that read reports know them: from the root of the checkout, with forward slashes. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** Whether something is a folder or lies in it; both are whole paths. */
export const liesIn = (root: string, folder: string): boolean => {
  const way = relative(root, folder);
  return way === '' || (!isAbsolute(way) && way.split(sep)[0] !== '..');
};

/** The checkout that CI names, else the folder of the repository; a project without one is its own root. */
export function projectRoot(cwd: string, env: Env): string {
  for (const named of [env['GITHUB_WORKSPACE'], env['CI_PROJECT_DIR']])
    if (named && isAbsolute(named) && liesIn(named, cwd)) return named;
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}

/** Names files of a report from a root. What lies elsewhere keeps its whole path. */
export function fileNamer(root: string, cwd: string): (file: string) => string {
  return (file) => {
    const path = resolve(cwd, file);
    return (liesIn(root, path) ? relative(root, path) : path).split(sep).join('/');
  };
}
