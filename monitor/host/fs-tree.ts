/**
 * The copy of a whole tree: from Node 26 on one trip through the thread pool where the target is not there yet. The job does not tell
 * what it was made of, nor what it copies: that is listed when it begins.
 */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { FsBinding } from './fs-binding.ts';
import { pathOf } from './fs-paths.ts';
import type { FsRow } from './fs-table.ts';

/** What is in a tree, by its path from the root. */
export interface TreeEntry {
  readonly path: string;
  readonly isDirectory: boolean;
}

type TreeJobClass = new (from: unknown, to: unknown, ...options: unknown[]) => object;

/** Of a tree with more entries than this the others are not told. */
const MOST_TOLD = 64;

/** Source and target, by the job. */
const copies = new WeakMap<object, readonly unknown[]>();
const watched = new WeakSet<object>();

/** Watches how copies of trees are made, from now on. */
export function watchCopies(binding: FsBinding): void {
  const Native = binding['CpDirJob'] as TreeJobClass | undefined;
  if (typeof Native !== 'function' || watched.has(Native)) return;
  const Watched = class extends Native {
    static override readonly name = 'CpDirJob';
    constructor(from: unknown, to: unknown, ...options: unknown[]) {
      super(from, to, ...options);
      copies.set(this, [from, to]);
    }
  };
  watched.add(Watched);
  binding['CpDirJob'] = Watched;
}

/** What a job copies and where to. */
export const copiedBy = (job: object): readonly unknown[] => copies.get(job) ?? [];

/** What is below a directory; nothing where it cannot be read. */
export function treeBelow(root: unknown): readonly TreeEntry[] {
  const from = pathOf(root);
  try {
    return readdirSync(from, { recursive: true, withFileTypes: true })
      .slice(0, MOST_TOLD)
      .map((entry) => ({
        path: relative(from, join(entry.parentPath, entry.name)),
        isDirectory: entry.isDirectory(),
      }));
  } catch {
    return [];
  }
}

/** `value` are the entries of the tree. */
export const COPIES_TREE: FsRow = {
  api: 'fs.cp',
  about: [0, 1],
  touches(list, [source, target], { value }) {
    if (source === undefined) return;
    const [from, to] = [pathOf(source), pathOf(target)];
    const entries = (value ?? []) as readonly TreeEntry[];
    list.look(from).listing(from).entry(to);
    for (const { path, isDirectory } of entries) {
      list.look(join(from, path));
      if (isDirectory) list.listing(join(from, path));
      else list.read(join(from, path));
      list.entry(join(to, path));
      if (!isDirectory) list.write(join(to, path));
    }
  },
};
