/** Which package the script of a process is of: by that runners are known. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileOfScript } from '../subjects/own-script.ts';

export interface Package {
  readonly name: string;
  readonly folder: string;
  readonly major: number;
}

interface PackageManifest {
  readonly name?: string;
  readonly version?: string;
}

/** The package that a script belongs to, where it is one of these; null: it is not. */
export function packageOf(script: string | undefined, names: readonly string[]): Package | null {
  const found = script === undefined ? null : manifestOf(script, names);
  if (!found) return null;
  const { folder, name, version } = found;
  return { name, folder, major: Number.parseInt(version, 10) };
}

/** The version of that package. */
export const versionOf = (script: string, names: readonly string[]): string | undefined =>
  manifestOf(script, names)?.version;

function manifestOf(script: string, names: readonly string[]) {
  if (!names.some((name) => script.includes(name))) return null;
  const file = fileOfScript(script);
  if (!existsSync(file)) return null;
  for (let folder = dirname(realpathSync(file)); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) {
      const { name = '', version = '' } = JSON.parse(readFileSync(manifest, 'utf8')) as PackageManifest;
      return names.includes(name) ? { name, folder, version } : null;
    }
    if (folder === dirname(folder)) return null;
  }
}
