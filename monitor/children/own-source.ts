/** Which source of the user's a process runs: what that does within itself nobody judges. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, join, relative, resolve } from 'node:path';
import { scriptIn } from '../../data/node-options.ts';
import type { ChildOptions } from '../host/started.ts';
import { loaderConfig } from '../loader/config.ts';
import { isOwn } from '../loader/select.ts';
import { type CommandWords, commandsOf, textCommands } from './commands.ts';

/** Among what these are given is a program, or a source that they run. */
const RUNNERS: ReadonlySet<string> = new Set(
  `env timeout nice nohup time exec command xargs cross-env npx bunx c8 nyc tsx ts-node ts-node-esm babel-node jiti esno nodemon
  mocha jest vitest ava tap uvu`.split(/\s+/),
);
const MANAGERS: ReadonlySet<string> = new Set(['npm', 'yarn', 'pnpm']);
const CODE = /\.[cm]?[jt]sx?$/;

/** Where programs are looked for. */
interface SearchPlaces {
  /** Where the process runs is one of these. */
  readonly folders: readonly string[];
  /** Where it finds programs by their names. */
  readonly path: readonly string[];
}

/** Relative to the working directory; null: it runs none, as far as its arguments tell. To be used where no run is on. */
export function ownSourceOf({ file, given, folders, pairs }: Omit<ChildOptions, 'stdio'>): string | null {
  if (!given.every((each) => typeof each === 'string')) return null;
  try {
    const path = pairs?.find((pair) => pair.startsWith('PATH='))?.slice('PATH='.length);
    let places: SearchPlaces = {
      folders: [...folders, process.cwd()],
      path: (path ?? process.env['PATH'] ?? '').split(delimiter),
    };
    for (const words of commandsOf([file, ...given.slice(1)])) {
      const [program, to = ''] = words;
      if (program === 'cd')
        places = { ...places, folders: places.folders.map((folder) => resolve(folder, to)) };
      const source = sourceIn(words, places);
      if (source !== null) return relative(loaderConfig().cwd, source);
    }
  } catch {
    // The working directory is gone, or something is no path.
  }
  return null;
}

function sourceIn([program, ...given]: CommandWords, places: SearchPlaces, isScript = false): string | null {
  if (program === undefined) return null;
  const own = isScript ? null : ownProgram(program, places);
  if (own !== null) return own;
  const name = basename(program, '.exe');
  if (name === 'node' || name === 'nodejs') {
    const script = scriptIn(given);
    if (script === null) return null;
    const source = ownScript(script, places);
    return source ?? sourceIn([packageIn(script), ...given.slice(given.indexOf(script) + 1)], places, true);
  }
  if (MANAGERS.has(name) && !isScript) return ofManager(given, places);
  if (!RUNNERS.has(name)) return null;
  for (const [i, word] of given.entries()) {
    // What another runner is given is among what comes.
    if (word.startsWith('-') || word.includes('=') || RUNNERS.has(basename(word))) continue;
    const source = CODE.test(word) ? ownScript(word, places) : sourceIn(given.slice(i), places);
    if (source !== null) return source;
  }
  return null;
}

/** `node_modules/tsx/dist/cli.mjs` → `tsx`; a script elsewhere is called as it is. */
const packageIn = (script: string): string => /node_modules[\\/]([^\\/]+)/.exec(script)?.[1] ?? script;

function ownScript(script: string, { folders }: SearchPlaces): string | null {
  for (const folder of folders) {
    const own = ownFile(resolve(folder, script));
    if (own !== null) return own;
  }
  return null;
}

/** By its path, or by a name under which it is found. */
function ownProgram(program: string, { folders, path }: SearchPlaces): string | null {
  const places = /[\\/]/.test(program)
    ? folders
    : [...folders.map((folder) => join(folder, 'node_modules/.bin')), ...path];
  const found = places.map((place) => resolve(place, program)).find(isFile);
  return found === undefined ? null : ownFile(found);
}

/** What a script of package.json runs. */
function ofManager(given: CommandWords, places: SearchPlaces): string | null {
  const [first, ...rest] = given.filter((word) => !word.startsWith('-'));
  const script = first === 'run' || first === 'run-script' ? rest[0] : first;
  if (first === 'exec' || script === undefined) return sourceIn(rest, places);
  for (const folder of places.folders) {
    const text = packageOf(folder)['scripts']?.[script];
    for (const words of typeof text === 'string' ? textCommands(text) : []) {
      // It may name itself.
      const source = MANAGERS.has(words[0]!) ? null : sourceIn(words, places);
      if (source !== null) return source;
    }
  }
  return null;
}

function packageOf(folder: string): Record<string, any> {
  const path = join(folder, 'package.json');
  return isFile(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** The file that Node runs for this path, where it is the user's. */
function ownFile(path: string): string | null {
  const main = statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? resolve(path, String(packageOf(path)['main'] ?? 'index.js'))
    : path;
  const file = [main, `${main}.js`, join(main, 'index.js')].find(isFile);
  if (file === undefined) return null;
  return [file, realpathSync(file)].find((each) => isOwn(each, loaderConfig())) ?? null;
}
