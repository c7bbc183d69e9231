/** Which package manager a project uses, and how a user of it types things. */
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { readManifest } from './manifest.ts';

const PACKAGE_MANAGERS = ['npm', 'pnpm', 'yarn'] as const;
export type PackageManager = (typeof PACKAGE_MANAGERS)[number];

const LOCK_FILES: readonly (readonly [file: string, manager: PackageManager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

export interface ManagerOf {
  readonly manager: PackageManager;
  /** Where versions are locked, from here or from a folder above: the root of a workspace; null: nowhere. */
  readonly lockFile: string | null;
}

/** The nearest folder upwards that has a lock file, or names its manager, says; npm where none does. */
export function packageManagerOf(cwd: string): ManagerOf {
  for (let at = cwd; ; at = dirname(at)) {
    const locked = LOCK_FILES.find(([file]) => existsSync(join(at, file)));
    const lockFile = locked ? join(at, locked[0]) : null;
    const named = readManifest(at)?.packageManager.split('@')[0];
    const manager = PACKAGE_MANAGERS.find((each) => each === named) ?? locked?.[1];
    if (manager) return { manager, lockFile };
    // Beyond the repository lies what is not the project's.
    if (existsSync(join(at, '.git')) || dirname(at) === at) return { manager: 'npm', lockFile: null };
  }
}

/** Whether a shell would find it. */
export const isOnPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
