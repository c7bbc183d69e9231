/** Which files are the user's. */
import { realpathSync } from 'node:fs';
import { dirname, extname, join, matchesGlob, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoaderConfig } from './config.ts';

const EXTENSIONS: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts']);
/** Our own folders; the catalogue in `harnesses/` is a subject like any other. */
const OURS = ['bench', 'cli', 'data', 'monitor', 'predictor', 'report', 'rescheduler'];

/** The folder that holds our compiled or source folders. */
const base = realpathSync(join(dirname(fileURLToPath(import.meta.url)), '../..'));
const ownFiles = new Set(['.ts', '.js'].map((ext) => join(base, `harnesses/api${ext}`)));

function isOurs(path: string): boolean {
  return ownFiles.has(path) || OURS.some((folder) => path.startsWith(join(base, folder) + sep));
}

/** Whether the file at an absolute path is instrumented. */
export function isSelected(path: string, config: LoaderConfig): boolean {
  if (!EXTENSIONS.has(extname(path)) || isOurs(path)) return false;
  const name = relative(config.cwd, path);
  if (config.exclude.some((glob) => matchesGlob(name, glob))) return false;
  const within = name !== '' && !name.startsWith('..') && name !== path;
  const packageName = packageOf(path);
  if (packageName === null && within) return true;
  const matches = (glob: string, text: string | null) => text !== null && matchesGlob(text, glob);
  return config.instrument.some((wanted) => matches(wanted, packageName) || matches(wanted, name));
}

/** The folder name of the innermost package in node_modules; null outside of it. */
function packageOf(path: string): string | null {
  const parts = path.split(sep);
  const at = parts.lastIndexOf('node_modules');
  if (at < 0) return null;
  const name = parts[at + 1] ?? '';
  return name.startsWith('@') ? `${name}/${parts[at + 2]}` : name;
}
