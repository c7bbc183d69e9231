/** Whether what `instrument` asks for was there. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { closest } from '../../data/closest.ts';
import type { Seen } from '../../monitor/loader/seen.ts';

const MOST_NAMED = 5;

/**
 * One line about the first name or glob that matched nothing of what was loaded, with what may have been meant; null
 * where each matched something, or is a package that is installed: another command may use it.
 */
export function unmatched(
  asked: readonly string[],
  told: readonly Seen[],
  cwd: string,
  isInstalled = installed,
): string | null {
  const matched = new Set(told.flatMap((each) => each.matched));
  const wanted = asked.find((name) => !matched.has(name) && !isInstalled(name, cwd));
  if (wanted === undefined) return null;
  const packages = [...new Set(told.flatMap((each) => each.packages))].sort();
  const near = closest(wanted, packages);
  const some = packages.slice(0, MOST_NAMED).join(', ') + (packages.length > MOST_NAMED ? ', …' : '');
  const hint =
    near !== undefined
      ? `did you mean '${near}'?`
      : packages.length > 0
        ? `packages that were loaded: ${some}`
        : 'no package was loaded';
  return `--instrument '${wanted}' matched nothing that was loaded: ${hint}`;
}

function installed(name: string, cwd: string): boolean {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, 'node_modules', name, 'package.json'))) return true;
    if (dirname(at) === at) return false;
  }
}
