/**
 * A cache that holds code is only worth anything while nobody else can put something into it. It lies in a folder whose
 * name is a secret of this checkout, kept in a file that says which file it is: a file that came with a clone, an archive
 * or a copy is another one, and so is one that somebody has replaced.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolders } from './make-folders.ts';

const ORIGIN = 'origin.json';

interface CacheOrigin {
  readonly folder: string;
  /** Of the file with this in it. */
  readonly identity: string;
}

function identityOf(file: string): string {
  const { ino, birthtimeNs, uid } = lstatSync(file, { bigint: true });
  return `${uid}:${ino}:${birthtimeNs}`;
}

function known(dir: string): string | null {
  try {
    const file = join(dir, ORIGIN);
    const { folder, identity } = JSON.parse(readFileSync(file, 'utf8')) as CacheOrigin;
    const isOurs = identity === identityOf(file) && (process.getuid?.() ?? 0) === lstatSync(file).uid;
    return isOurs && /^[\w-]+$/.test(folder) ? join(dir, folder) : null;
  } catch {
    return null;
  }
}

/**
 * The folder below `dir` in which this user keeps what he trusts; git ignores it. What others have
 * left in `dir` is never read. Where nothing can be written, a folder that is not there.
 */
export function ownCache(dir: string): string {
  const own = known(dir);
  if (own !== null) return own;
  const folder = randomUUID();
  const draft = join(dir, `${folder}.tmp`);
  try {
    const above = dirname(dir);
    makeFolders(dir, 0o700);
    // The folder of a store is not for git as a whole.
    const ignore = join(basename(above) === '.unweave' ? above : dir, '.gitignore');
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
    writeFileSync(draft, '', { mode: 0o600, flag: 'wx' });
    writeFileSync(draft, JSON.stringify({ folder, identity: identityOf(draft) } satisfies CacheOrigin));
    renameSync(draft, join(dir, ORIGIN));
  } catch {
    // Read-only or full: nothing is kept.
  }
  return known(dir) ?? join(dir, folder);
}
