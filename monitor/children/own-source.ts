/** Which source of the user's a process runs: what that does within itself nobody judges. */
import { statSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { scriptIn } from '../../data/node-options.ts';
import type { ChildOptions } from '../host/started.ts';
import { loaderConfig } from '../loader/config.ts';
import { isOwn } from '../loader/select.ts';

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh']);
/** Node finds a script without these. */
const ENDINGS = ['', '.js', '/index.js'];

/** Relative to the working directory; null: it runs none, as far as its arguments tell. To be used where no run is on. */
export function ownSourceOf({ file, given, folders }: Omit<ChildOptions, 'pairs' | 'stdio'>): string | null {
  if (!given.every((each) => typeof each === 'string')) return null;
  const script = scriptOf([file, ...given.slice(1)]);
  if (script === null) return null;
  const config = loaderConfig();
  try {
    const places = [...folders, process.cwd()];
    const paths = places.flatMap((folder) => ENDINGS.map((ending) => resolve(folder, script + ending)));
    const path = paths.find((each) => statSync(each, { throwIfNoEntry: false })?.isFile());
    return path !== undefined && isOwn(path, config) ? relative(config.cwd, path) : null;
  } catch {
    // The working directory is gone, or it is no path.
    return null;
  }
}

function scriptOf([program, ...given]: readonly string[]): string | null {
  if (program === undefined) return null;
  const name = basename(program, '.exe');
  if (SHELLS.has(name) && given[0] === '-c') return scriptOf(wordsOf(given[1] ?? ''));
  return name === 'node' ? scriptIn(given) : program;
}

/** Of the first command; what it sets for that is no word of it. */
const wordsOf = (command: string): string[] =>
  command
    .replace(/^\s*(?:\w+=\S*\s+)*/, '')
    .split(/\s*(?:&&|\|\||[;|&\n])\s*/, 1)[0]!
    .split(/\s+/)
    .map((word) => word.replace(/^(["'])(.*)\1$/s, '$2'));
