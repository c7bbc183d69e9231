/** Builds the list of entities that one file operation touched. */
import { join } from 'node:path';
import { namesOf } from './fs-paths.ts';
import type { HostAccess } from './request.ts';

/** Names of a directory, and directories of a tree, beyond this many are not listed one by one. */
const MOST_LISTED = 64;

/**
 * Collects accesses in the order in which the kernel makes them. Every operation on a path looks the path up,
 * and so reads the existence of its parent.
 */
export class AccessList {
  readonly list: HostAccess[] = [];

  /** The path is looked up: its parent and its own existence are read. */
  look(path: string): this {
    const { parent, entry } = namesOf(path);
    return this.add(namesOf(parent).entry, false).add(entry, false);
  }

  /** The path comes into being or goes. */
  entry(path: string): this {
    const { parent, entry } = namesOf(path);
    return this.look(path).add(entry, true).add(namesOf(parent).listing, true);
  }

  read(path: string): this {
    return this.add(namesOf(path).content, false);
  }

  write(path: string): this {
    return this.add(namesOf(path).content, true);
  }

  /** The names in a directory are read, and with them that each of these entries exists. */
  listing(path: string, names: readonly string[] = []): this {
    this.add(namesOf(path).listing, false);
    for (const name of names.slice(0, MOST_LISTED)) this.add(namesOf(join(path, name)).entry, false);
    return this;
  }

  /** The same for directories below this one; `tree` has their paths from here and the names in them. */
  tree(path: string, tree: ReadonlyMap<string, readonly string[]>): this {
    for (const [directory, names] of [...tree].slice(0, MOST_LISTED))
      this.listing(join(path, directory), names);
    return this;
  }

  /** Without what would have been changed: what was looked at on the way there. */
  seen(): HostAccess[] {
    return this.list.filter(({ write }) => !write);
  }

  private add(entity: string, write: boolean): this {
    this.list.push({ entity, write });
    return this;
  }
}
