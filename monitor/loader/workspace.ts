/** The workspace that a package is in: what lies beside it there is the user's own, however it is linked. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest folder from `cwd` upwards that is the root of a workspace of npm, yarn or pnpm; null: there is none. */
export function workspaceRoot(cwd: string): string | null {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, 'pnpm-workspace.yaml')) || hasWorkspaces(join(at, 'package.json'))) return at;
    if (dirname(at) === at) return null;
  }
}

function hasWorkspaces(file: string): boolean {
  try {
    return Boolean((JSON.parse(readFileSync(file, 'utf8')) as { workspaces?: unknown }).workspaces);
  } catch {
    return false;
  }
}
