/** Names of the entities behind paths and file descriptors. */
import { tmpdir } from 'node:os';
import { dirname, relative, resolve, sep } from 'node:path';

/** Directories that mkdtemp made in this process. */
const temporary = new Set<string>();
let longestTemporary = 0;
const descriptors = new Map<number, string>();
/** A directory that mkdtemp made in another process: a separator and six random characters. */
const RANDOM_TAIL = /[-_.][A-Za-z0-9]{6}$/;

let tmp: string | null = null;

/** Where relative paths begin; a program may have removed the directory, which is no reason for us to fail. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return sep;
  }
}

/** A path seen from the root. */
export function absolutePath(path: string): string {
  return resolve(workingDirectory(), path);
}

/** The path an argument of the binding stands for; Node passes strings, Buffers and descriptors. */
export function pathOf(argument: unknown): string {
  if (typeof argument === 'string') return argument;
  if (typeof argument === 'number') return descriptors.get(argument) ?? `fd ${argument}`;
  if (Buffer.isBuffer(argument)) return argument.toString();
  return '?';
}

/** Remembers what an opened descriptor stands for. */
export function opened(fd: number, path: string): void {
  descriptors.set(fd, absolutePath(path));
}

export function closed(fd: number): void {
  descriptors.delete(fd);
}

/** Remembers a directory whose name is random. */
export function madeTemporary(path: string): void {
  const absolute = absolutePath(path);
  temporary.add(absolute);
  longestTemporary = Math.max(longestTemporary, absolute.length);
  known.clear();
}

/** Whether a path lies in a directory of which nobody knows who was not told: this process made it under a random name. */
export function isOwnTemporary(path: string): boolean {
  for (let at = absolutePath(path); at !== dirname(at); at = dirname(at)) if (temporary.has(at)) return true;
  return false;
}

/** A path with the names of its entities. */
export interface PathNames {
  readonly absolute: string;
  readonly display: string;
  /** The entity of the path's existence. */
  readonly entry: string;
  /** The entity of a file's bytes and attributes. */
  readonly content: string;
  /** The entity of a directory's list of names. */
  readonly listing: string;
  readonly parent: string;
}

/** Names of paths met so far: programs ask for few paths many times. */
const known = new Map<string, PathNames>();
const MOST_KNOWN = 4096;
let knownFrom = '';

/** The names of a path; `path` as the program gave it. */
export function namesOf(path: string): PathNames {
  const here = workingDirectory();
  if (here !== knownFrom || known.size >= MOST_KNOWN) {
    known.clear();
    knownFrom = here;
  }
  let names = known.get(path);
  if (names === undefined) {
    const absolute = absolutePath(path);
    const display = displayOf(path, absolute);
    const entry = `fs:${display}`;
    const content = `${entry} (content)`;
    const listing = `${entry} (entries)`;
    names = { absolute, display, entry, content, listing, parent: dirname(absolute) };
    known.set(path, names);
  }
  return names;
}

/** A path as people and stable names know it: relative to the working directory, temporary parts as `*`. */
export function displayPath(path: string): string {
  return namesOf(path).display;
}

let isWhole = false;

/** From here on names are those of whole paths: another process will take them for its own. */
export function tellWholePaths(): void {
  isWhole = true;
  known.clear();
}

function displayOf(path: string, absolute: string): string {
  if (path.startsWith('fd ')) return path;
  if (isWhole) return absolute;
  const inTemporary = temporaryRest(absolute);
  if (inTemporary !== null) return inTemporary === '' ? '*' : `*${sep}${inTemporary}`;
  const fromHere = relative(workingDirectory(), absolute);
  if (fromHere === '') return '.';
  return fromHere.startsWith('..') ? outsideOf(absolute) : fromHere;
}

/** A path outside of the working directory: processes of ours have temporary directories of their own. */
function outsideOf(absolute: string): string {
  const fromTmp = relative(tmpFolder(), absolute);
  // Folders above it may be temporary as well: `realpath` asks for each of them.
  const above = /^\.\.([\\/]\.\.)*$/.test(fromTmp) && absolute !== dirname(absolute);
  if (fromTmp.startsWith('..') && !above) return absolute;
  return fromTmp === '' ? '$TMPDIR' : `$TMPDIR${sep}${fromTmp}`;
}

/** What follows the innermost temporary directory in a path, or null outside one. */
function temporaryRest(absolute: string): string | null {
  // Paths that are too long for any system have thousands of parts: what is longer than each of the directories is none.
  const first = absolute.length <= longestTemporary ? absolute.length : longestTemporary + 1;
  for (let end = first; end > 0; end = absolute.lastIndexOf(sep, end - 1)) {
    const directory = absolute.slice(0, end);
    if (temporary.has(directory)) return absolute.slice(end + 1);
  }
  return foreignRest(absolute);
}

/** What follows the temporary directory of another process. */
function foreignRest(absolute: string): string | null {
  const above = tmpFolder() + sep;
  if (!absolute.startsWith(above)) return null;
  const end = `${absolute}${sep}`.indexOf(sep, above.length);
  return RANDOM_TAIL.test(absolute.slice(above.length, end)) ? absolute.slice(end + 1) : null;
}

function tmpFolder(): string {
  tmp ??= resolve(tmpdir());
  return tmp;
}
