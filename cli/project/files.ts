/** The files of a repository as they are now, and those that differ from a commit. */
import { execFileSync } from 'node:child_process';
import { relative, resolve } from 'node:path';
import { UsageError } from '../errors.ts';

/** Files that are looked at belong to the repository or could: nothing that git ignores. */
const ALL = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--full-name', ':/'];

function git(cwd: string, args: readonly string[], why: string): string {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28, stdio: [...stdio] });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(code === 'ENOENT' ? '--changed needs git, which is not installed' : why);
  }
}

const rootOf = (cwd: string): string =>
  git(cwd, ['rev-parse', '--show-toplevel'], '--changed needs a git repository: there is none here').trim();

const names = (text: string): string[] => text.split('\0').filter((name) => name !== '');

/** All files, relative to `cwd`. */
export function repositoryFiles(cwd: string): string[] {
  const root = rootOf(cwd);
  return [...new Set(names(git(cwd, ALL, '--changed: git cannot list the files here')))].map((name) =>
    relative(cwd, resolve(root, name)),
  );
}

/** Files that differ from a commit, or that it does not have, relative to `cwd`. */
export function changedSince(ref: string, cwd: string): string[] {
  const root = rootOf(cwd);
  const unknown = `--changed ${ref}: git knows no such commit (a shallow clone has few: fetch-depth: 0)`;
  const commit = git(
    cwd,
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`],
    unknown,
  );
  const changed = git(cwd, ['diff', '--name-only', '-z', '--no-renames', commit.trim()], unknown);
  const others = git(
    cwd,
    ['ls-files', '-z', '--others', '--exclude-standard', '--full-name', ':/'],
    '--changed: git cannot list the files here',
  );
  return [...names(changed), ...names(others)].map((name) => relative(cwd, resolve(root, name)));
}
