/** What of the program was looked into as it was loaded, and what ran without. */
import { Module } from 'node:module';
import { resolve } from 'node:path';
import { allSites } from '../runtime/points.ts';
import { loaderConfig } from './config.ts';
import { wasRead } from './load.ts';
import { isOfProject, isOwn, OWN, packageNameOf, selectedBy } from './select.ts';

/** What a process tells of what it has loaded. Paths are absolute. */
export interface Seen {
  /** Names and globs of those asked for of which something was loaded. */
  readonly matched: readonly string[];
  /** Packages that were loaded and not looked into. */
  readonly packages: readonly string[];
  /** Sources of the user's that ran without being looked into. */
  readonly unseen: readonly string[];
  /** All sources of the project that were loaded, whether they were looked into or not, and what those were made of. */
  readonly project: readonly string[];
}

const CODE = /\.[cm]?[jt]sx?$/;
/** So many of each are told. */
const MOST = 100;

const loaded = new Set<string>();

/** A file was loaded. */
export const loadedFile = (path: string): void => void loaded.add(path);

/** What is known by now. */
export function seen(): Seen {
  const { _cache: required } = Module as unknown as { _cache: Readonly<Record<string, unknown>> };
  const [matched, packages, unseen] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const project: string[] = [];
  const config = loaderConfig();
  for (const path of new Set([...loaded, ...Object.keys(required)])) {
    if (!CODE.test(path)) continue;
    if (isOfProject(path, config)) project.push(path);
    const by = selectedBy(path, config);
    const name = packageNameOf(path);
    if (by !== null && by !== OWN) matched.add(by);
    if (wasRead(path)) continue;
    if (isOwn(path, config)) unseen.add(path);
    else if (name !== null) packages.add(name);
  }
  // What those were made of, which is what somebody changes.
  const written = new Set(allSites().flatMap(({ file, made }) => (made ? [resolve(config.cwd, file)] : [])));
  project.push(...[...written].filter((path) => isOfProject(path, config)));
  return {
    matched: [...matched],
    packages: [...packages].slice(0, MOST),
    unseen: [...unseen].slice(0, MOST),
    project,
  };
}
