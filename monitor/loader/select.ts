/** Which files are the user's. */
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, extname, join, matchesGlob, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OWN_FOLDERS } from '../../data/own-folders.ts';
import type { LoaderConfig } from './config.ts';

const EXTENSIONS: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts']);

/** The folder that holds our compiled or source folders. */
const base = realpathSync(join(dirname(fileURLToPath(import.meta.url)), '../..'));
/** Compiled or not: the catalogue imports the sources, whoever runs it. */
const bases = base.endsWith(`${sep}dist`) ? [base, dirname(base)] : [base, join(base, 'dist')];
/** What declares harnesses, of the folder of programs. */
const OWN_FILES = ['api', 'scenario', 'thread-scenario'];
const ownFiles = new Set(
  bases.flatMap((each) =>
    OWN_FILES.flatMap((name) => ['.ts', '.js'].map((ext) => join(each, 'harnesses', name + ext))),
  ),
);
/** The catalogue in `harnesses/` is a subject like any other. */
const ownFolders = bases.flatMap((each) => OWN_FOLDERS.map((folder) => join(each, folder) + sep));

/** Whether the file is part of Unweave itself. */
export function isOurs(path: string): boolean {
  return ownFiles.has(path) || ownFolders.some((folder) => path.startsWith(folder));
}

/** The same for a script as call sites name it, by its path or its URL. */
export const isOurScript = (name: string): boolean =>
  isOurs(name.startsWith('file:') ? fileURLToPath(name.replace(/[?#].*$/, '')) : name);

/** The user's own, without having been asked for. */
export const OWN = Symbol('own');

/** Whether the file at an absolute path is instrumented. */
export const isSelected = (path: string, config: LoaderConfig): boolean => selectedBy(path, config) !== null;

/** Why the file at an absolute path is instrumented: {@link OWN}, or what was asked for; null: it is not. */
export function selectedBy(path: string, config: LoaderConfig): typeof OWN | string | null {
  if (!EXTENSIONS.has(extname(path)) || isOurs(path)) return null;
  const name = relative(config.cwd, path);
  if (isExcluded(name, config)) return null;
  const folder = packageOf(path);
  if (folder === null && isWithin(path, config)) return OWN;
  if (config.instrument.length === 0) return null;
  const names = folder === null ? [name] : [name, ...namesOf(folder)];
  return config.instrument.find((wanted) => names.some((text) => matches(text, wanted))) ?? null;
}

/** Whether the file belongs to the user's project, be it looked into or not. */
export function isOfProject(path: string, config: LoaderConfig): boolean {
  return !isOurs(path) && packageOf(path) === null && isWithin(path, config);
}

/** Whether the file is the user's own and to be looked into, in whatever language it is written. */
export function isOwn(path: string, config: LoaderConfig): boolean {
  return isOfProject(path, config) && !isExcluded(relative(config.cwd, path), config);
}

const isExcluded = (name: string, { exclude }: LoaderConfig): boolean =>
  exclude.some((glob) => matchesGlob(name, glob));

function isWithin(path: string, { cwd, workspace }: LoaderConfig): boolean {
  const name = relative(cwd, path);
  const isBelow = name !== '' && !name.startsWith('..') && name !== path;
  return isBelow || (workspace !== undefined && path.startsWith(workspace + sep));
}

/** The name by which a file of a package may be asked for; null where it is of none. */
export function packageNameOf(path: string): string | null {
  const folder = packageOf(path);
  return folder === null ? null : (namesOf(folder)[0] ?? null);
}

/** The installed package of a script as call sites name it, by its name in node_modules; null: it is of none, or of Unweave. */
export function packageOfScript(script: string): string | null {
  const path = script.startsWith('file:') ? fileURLToPath(script.replace(/[?#].*$/, '')) : script;
  const folder = isOurs(path) ? null : packageOf(path);
  return folder === null ? null : installedAs(folder);
}

/** A name is no glob, and globs take a while to load. */
const NAME = /^@?\w[\w.-]*(?:\/\w[\w.-]*)*$/;
const matches = (text: string, wanted: string): boolean =>
  NAME.test(wanted) ? text === wanted : matchesGlob(text, wanted);

/** The folder of the innermost package in node_modules; null outside of it. */
function packageOf(path: string): string | null {
  const parts = path.split(sep);
  const at = parts.lastIndexOf('node_modules');
  if (at < 0) return null;
  return parts.slice(0, at + (parts[at + 1]?.startsWith('@') ? 3 : 2)).join(sep);
}

/** By folder of a package: the folder's name, and its own where it was installed under an alias. */
const packageNames = new Map<string, readonly string[]>();

function namesOf(folder: string): readonly string[] {
  let names = packageNames.get(folder);
  if (names === undefined) {
    const installed = installedAs(folder);
    names = [...new Set([installed, ownName(folder) ?? installed])];
    packageNames.set(folder, names);
  }
  return names;
}

function installedAs(folder: string): string {
  const parts = folder.split(sep);
  return parts.slice(parts.lastIndexOf('node_modules') + 1).join('/');
}

function ownName(folder: string): string | null {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown };
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}
