/**
 * Every function of Node's file-system binding that may be asynchronous: one row says what it is about and
 * which entities it touched. `args` are the arguments that the binding received; Node's own JavaScript has
 * checked them and has split compound calls (writeFile, rm -r, streams) into these.
 */
import { constants } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { AccessList } from './fs-accesses.ts';
import { absolutePath, pathOf } from './fs-paths.ts';
import type { FileTimes } from './fs-times.ts';

/** What is known once the kernel answered. */
export interface FsOutcome {
  readonly failed: boolean;
  /** What may make or force away a file: it was there before. */
  readonly existed: boolean;
  readonly value: unknown;
}

export interface FsRow {
  readonly api: string;
  /** Arguments that are paths or descriptors. */
  readonly about: readonly number[];
  readonly touches: (list: AccessList, args: readonly unknown[], outcome: FsOutcome) => void;
  /** Which times of which files it set when it succeeded. */
  readonly stamps?: (times: FileTimes, args: readonly unknown[], outcome: FsOutcome) => unknown;
}

/** A path, or a descriptor as it is. */
const fileOf = (argument: unknown) => (typeof argument === 'number' ? argument : pathOf(argument));

const stampsRead: FsRow['stamps'] = (times, [file]) => times.read(fileOf(file));
const stampsWrite: FsRow['stamps'] = (times, [file]) => times.wrote(fileOf(file));
const stampsMark: FsRow['stamps'] = (times, [file]) => times.marked(fileOf(file));
const stampsSet: FsRow['stamps'] = (times, [file]) => times.set(fileOf(file));
const stampsGone: FsRow['stamps'] = (times, [path]) => times.wroteFolderOf(pathOf(path));

const nothing: FsRow['touches'] = () => {};
const looks: FsRow['touches'] = (list, [path]) => list.look(pathOf(path));
const reads: FsRow['touches'] = (list, [path]) => list.read(pathOf(path));
const writes: FsRow['touches'] = (list, [path]) => list.write(pathOf(path));
const inspects: FsRow['touches'] = (list, [path]) => list.look(pathOf(path)).read(pathOf(path));
const marks: FsRow['touches'] = (list, [path]) => list.look(pathOf(path)).write(pathOf(path));

const opens: FsRow['touches'] = (list, [argument, flags], outcome) => {
  const path = pathOf(argument);
  const mode = Number(flags);
  const creates = (mode & constants.O_CREAT) !== 0 && !outcome.existed;
  if (creates || (mode & constants.O_EXCL) !== 0) list.entry(path);
  else list.look(path);
  if (outcome.failed) return;
  if ((mode & 3) !== constants.O_WRONLY) list.read(path);
  if ((mode & constants.O_TRUNC) !== 0) list.write(path);
};

const stampsOpen: FsRow['stamps'] = (times, [path, flags], { existed }) => {
  const mode = Number(flags);
  if ((mode & constants.O_CREAT) !== 0 && !existed) times.made(pathOf(path));
  else if ((mode & constants.O_TRUNC) !== 0) times.wrote(pathOf(path));
};

const stampsRename: FsRow['stamps'] = (times, [from, to]) => {
  times.marked(pathOf(to), true);
  times.wroteFolderOf(pathOf(from));
  times.wroteFolderOf(pathOf(to));
};

const stampsMkdir: FsRow['stamps'] = (times, [argument, , recursive], { value }) => {
  const path = pathOf(argument);
  if (recursive !== true) times.made(path);
  else if (typeof value === 'string') for (const made of between(value, path)) times.made(made);
};

const renames: FsRow['touches'] = (list, [from, to], { failed }) => {
  list.entry(pathOf(from)).entry(pathOf(to));
  if (!failed) list.read(pathOf(from)).write(pathOf(to));
};

const lists: FsRow['touches'] = (list, [path], { value, failed }) => {
  const names: unknown = Array.isArray(value) && Array.isArray(value[0]) ? value[0] : value;
  const known = Array.isArray(names) ? names.filter(isText) : [];
  list.look(pathOf(path));
  if (!failed) list.listing(pathOf(path), known);
};

/** All directories below one, in one trip: Node says of each what is in it, or where everything is. */
const listsAll: FsRow['touches'] = (list, [path], { value, failed }) => {
  list.look(pathOf(path));
  if (!failed) list.tree(pathOf(path), treeOf(value));
};

const stampsAll: FsRow['stamps'] = (times, [path], { value }) => {
  for (const directory of treeOf(value).keys()) times.read(join(pathOf(path), directory));
};

/** The names in each directory of a tree, by the path of the directory from the root; an empty one may be missing. */
function treeOf(value: unknown): Map<string, string[]> {
  const tree = new Map<string, string[]>([['', []]]);
  if (!Array.isArray(value)) return tree;
  const [names, , counts, directories] = value;
  let at = 0;
  if (Array.isArray(names))
    for (const [i, directory] of directories.entries()) {
      const end = at + counts[i];
      if (typeof directory === 'string') tree.set(directory, names.slice(at, end).filter(isText));
      at = end;
    }
  else
    for (const path of value.filter(isText)) {
      const directory = dirname(path).replace(/^\.$/, '');
      const inside = tree.get(directory);
      if (inside) inside.push(basename(path));
      else tree.set(directory, [basename(path)]);
    }
  return tree;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** A recursive call says which directory it had to make first: those between it and the path came with it. */
const makes: FsRow['touches'] = (list, [argument, , recursive], { value }) => {
  const path = pathOf(argument);
  if (recursive !== true) list.entry(path);
  else if (typeof value !== 'string') list.look(path);
  else for (const made of between(value, path)) list.entry(made);
};

/** The directories from `first` down to `last`. */
function between(first: string, last: string): string[] {
  const paths = [absolutePath(last)];
  while (paths[0]!.length > first.length) paths.unshift(dirname(paths[0]!));
  return paths;
}

/** Rows by the name of the binding's function. */
export const FS_TABLE: Readonly<Record<string, FsRow>> = {
  access: { api: 'fs.access', about: [0], touches: looks },
  chmod: { api: 'fs.chmod', about: [0], touches: marks, stamps: stampsMark },
  chown: { api: 'fs.chown', about: [0], touches: marks, stamps: stampsMark },
  close: { api: 'fs.close', about: [0], touches: nothing },
  copyFile: {
    api: 'fs.copyFile',
    about: [0, 1],
    touches: (list, [from, to], { failed }) => {
      list.look(pathOf(from));
      if (!failed) list.read(pathOf(from));
      list.entry(pathOf(to)).write(pathOf(to));
    },
    stamps: (times, [from, to], { existed }) => {
      times.read(pathOf(from));
      if (existed) times.wrote(pathOf(to));
      else times.made(pathOf(to));
    },
  },
  fchmod: { api: 'fs.fchmod', about: [0], touches: writes, stamps: stampsMark },
  fchown: { api: 'fs.fchown', about: [0], touches: writes, stamps: stampsMark },
  fdatasync: { api: 'fs.fdatasync', about: [0], touches: nothing },
  fstat: { api: 'fs.fstat', about: [0], touches: reads },
  fsync: { api: 'fs.fsync', about: [0], touches: nothing },
  ftruncate: { api: 'fs.ftruncate', about: [0], touches: writes, stamps: stampsWrite },
  futimes: { api: 'fs.futimes', about: [0], touches: writes, stamps: stampsSet },
  lchown: {
    api: 'fs.lchown',
    about: [0],
    touches: marks,
    stamps: (times, [path]) => times.marked(pathOf(path), true),
  },
  link: {
    api: 'fs.link',
    about: [0, 1],
    touches: (list, [from, to]) => {
      list.look(pathOf(from)).entry(pathOf(to));
    },
    stamps: (times, [from, to]) => {
      times.marked(pathOf(from));
      times.wroteFolderOf(pathOf(to));
    },
  },
  lstat: { api: 'fs.lstat', about: [0], touches: inspects },
  lutimes: {
    api: 'fs.lutimes',
    about: [0],
    touches: marks,
    stamps: (times, [path]) => times.set(pathOf(path), true),
  },
  mkdir: { api: 'fs.mkdir', about: [0], touches: makes, stamps: stampsMkdir },
  mkdtemp: {
    api: 'fs.mkdtemp',
    about: [0],
    touches: nothing,
    stamps: (times, _args, { value }) => times.made(pathOf(value)),
  },
  open: { api: 'fs.open', about: [0], touches: opens, stamps: stampsOpen },
  openFileHandle: { api: 'fs.open', about: [0], touches: opens, stamps: stampsOpen },
  read: { api: 'fs.read', about: [0], touches: reads, stamps: stampsRead },
  readBuffers: { api: 'fs.read', about: [0], touches: reads, stamps: stampsRead },
  readdir: { api: 'fs.readdir', about: [0], touches: lists, stamps: stampsRead },
  /** From Node 26 on. */
  readdirRecursive: { api: 'fs.readdir', about: [0], touches: listsAll, stamps: stampsAll },
  readlink: { api: 'fs.readlink', about: [0], touches: looks },
  realpath: { api: 'fs.realpath', about: [0], touches: looks },
  rename: { api: 'fs.rename', about: [0, 1], touches: renames, stamps: stampsRename },
  rmdir: {
    api: 'fs.rmdir',
    about: [0],
    touches: (list, [path]) => {
      list.listing(pathOf(path)).entry(pathOf(path));
    },
    stamps: stampsGone,
  },
  stat: { api: 'fs.stat', about: [0], touches: inspects },
  statfs: { api: 'fs.statfs', about: [0], touches: nothing },
  symlink: {
    api: 'fs.symlink',
    about: [1],
    touches: (list, [, path]) => list.entry(pathOf(path)),
    stamps: (times, [, path]) => times.made(pathOf(path)),
  },
  unlink: {
    api: 'fs.unlink',
    about: [0],
    touches: (list, [path]) => list.entry(pathOf(path)),
    stamps: stampsGone,
  },
  utimes: { api: 'fs.utimes', about: [0], touches: marks, stamps: stampsSet },
  writeBuffer: { api: 'fs.write', about: [0], touches: writes, stamps: stampsWrite },
  writeBuffers: { api: 'fs.write', about: [0], touches: writes, stamps: stampsWrite },
  writeString: { api: 'fs.write', about: [0], touches: writes, stamps: stampsWrite },
};

/** Functions that are only ever synchronous, or that are not worth a turn of their own. */
export const FS_SYNC_TABLE: Readonly<Record<string, FsRow>> = {
  existsSync: { api: 'fs.existsSync', about: [0], touches: looks },
  readFileUtf8: { api: 'fs.readFileSync', about: [0], touches: inspects, stamps: stampsRead },
  rmSync: {
    api: 'fs.rmSync',
    about: [0],
    // With `force` it succeeds where nothing is there, too.
    touches: (list, [path], { existed }) => (existed ? list.entry(pathOf(path)) : list.look(pathOf(path))),
    stamps: (times, [path], { existed }) => existed && times.wroteFolderOf(pathOf(path)),
  },
  writeFileUtf8: {
    api: 'fs.writeFileSync',
    about: [0],
    touches: (list, [path], { existed }) => {
      if (typeof path === 'number') list.write(pathOf(path));
      else if (existed) list.look(pathOf(path)).write(pathOf(path));
      else list.entry(pathOf(path)).write(pathOf(path));
    },
    stamps: (times, [path], { existed }) => {
      if (typeof path !== 'number' && !existed) times.made(pathOf(path));
      else times.wrote(fileOf(path));
    },
  },
};
