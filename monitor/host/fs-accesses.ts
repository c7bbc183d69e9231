/** Builds the list of entities that one file operation touched. */
import { dirname, resolve } from 'node:path';
import { contentEntity, entryEntity, listingEntity } from './fs-paths.ts';
import type { HostAccess } from './request.ts';

/** Names of a directory beyond this many are not listed one by one. */
const MOST_LISTED = 64;

/**
 * Collects accesses in the order in which the kernel makes them. Every operation on a path looks the path up,
 * and so reads the existence of its parent.
 */
export class AccessList {
  readonly list: HostAccess[] = [];

  /** The path is looked up: its parent and its own existence are read. */
  look(path: string): this {
    return this.add(entryEntity(dirname(resolve(path))), false).add(entryEntity(path), false);
  }

  /** The path comes into being or goes, or something tried to make it so. */
  entry(path: string): this {
    return this.look(path)
      .add(entryEntity(path), true)
      .add(listingEntity(dirname(resolve(path))), true);
  }

  read(path: string): this {
    return this.add(contentEntity(path), false);
  }

  write(path: string): this {
    return this.add(contentEntity(path), true);
  }

  /** The names in a directory are read, and with them that each of these entries exists. */
  listing(path: string, names: readonly string[] = []): this {
    this.add(listingEntity(path), false);
    for (const name of names.slice(0, MOST_LISTED)) this.add(entryEntity(resolve(path, name)), false);
    return this;
  }

  private add(entity: string, write: boolean): this {
    this.list.push({ entity, write });
    return this;
  }
}
