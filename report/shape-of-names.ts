/** Bugs on names of files and on ports, which people tell in other words than values that are read and written. */
import type { Shape as Triple } from '../data/prediction.ts';
import { code, isFile, isPathEntry } from './entity.ts';
import { type SourceReader, sourceLine } from './sources.ts';
import type { AccessView, CutPointView, ShapeText } from './view.ts';

/** Whoever reads a file looks its name up as well, but means what is in it. */
const READS = /\b(readFile|readFileSync|readJson|readJSON|createReadStream)\(/;
/** What is done to files, and not to folders. */
const OF_FILES =
  /\b(readFile|readJson|readJSON|createReadStream|createWriteStream|writeFile|appendFile|copyFile|unlink|truncate|open)(Sync)?\(/;
const MAKES =
  /\b(writeFile|writeJson|writeJSON|outputFile|appendFile|open|mkdir|rename|copyFile|symlink|link|createWriteStream)(Sync)?\(/;
const REMOVES = /\b(unlink|rm|rmdir)(Sync)?\(/;

/** Ends what the transaction of a connection to a database is called. */
const TRANSACTION = ' (transaction)';

export const lineOf = (access: AccessView, read: SourceReader): string =>
  sourceLine(read, access) ?? access.text;

/** The entity is a path, and an access looked it up in order to read the file. */
export const isRead = ({ entity }: CutPointView, access: AccessView, read: SourceReader): boolean =>
  isPathEntry(entity) && READS.test(lineOf(access, read));

/** A name of which more is meant than whether it is there. */
export function pathNoun({ entity, first, remote, second }: CutPointView, read: SourceReader): string {
  const isOfFile = [first, remote, second].some((access) => OF_FILES.test(lineOf(access, read)));
  return `the ${isOfFile ? 'file' : 'path'} ${code(entity.slice('fs:'.length))}`;
}

interface Actors {
  readonly local: string;
  readonly remote: string;
  readonly both: string;
}

/** Of a triple on a name or a port; null: it is told like any other. */
export function shapeOfName(
  pattern: Triple,
  cut: CutPointView,
  { local, remote, both }: Actors,
  read: SourceReader,
): ShapeText | null {
  const { entity, first, remote: other, second } = cut;
  if (/^port /.test(entity))
    return {
      name: 'check-then-act',
      sentence: `${both} both used ${code(entity)} between trying and keeping it, so that one takes what the other has found free`,
      hint: 'do not try a port first: listen once and pass the listening server on, or listen on port 0 and ask which one it is',
    };
  if (entity.endsWith(TRANSACTION))
    return {
      name: 'shared transaction',
      sentence: `${remote} ran a statement on ${code(entity.slice(0, -TRANSACTION.length))} while ${local} was in a transaction there: it is kept or undone with that`,
      hint: 'let each transaction have a connection of its own, let nobody use the connection from ① to ③ (a lock that ② takes, too), or run the transaction in one turn, with no `await` inside',
    };
  if (!isFile(entity)) return null;
  if (pattern === 'WWR' && REMOVES.test(lineOf(second, read)))
    return removedAsOwn(cut, { local, remote, both }, read);
  if (!isPathEntry(entity)) return null;
  const it = pathNoun(cut, read);
  // It was not there when it was read.
  if (
    pattern === 'RWR' &&
    isRead(cut, first, read) &&
    [other, second].every((at) => MAKES.test(lineOf(at, read)))
  )
    return {
      name: 'lost update',
      sentence: `${both} both read ${it} before either wrote it`,
      hint: 'keep ① to ③ atomic: hold one lock across the read and the write, or put every change of this file through one queue',
    };
  if (pattern === 'RWR' && !isRead(cut, first, read) && isRead(cut, second, read))
    return {
      name: 'check-then-act',
      sentence: `${local} looked whether ${it} is there, ${remote} changed that, then ${local} read it on the old answer`,
      hint: 'do not ask first: read it and handle that it is not there (ENOENT), or hold a lock from ① to ③',
    };
  if (pattern === 'RWR' && !isRead(cut, first, read) && MAKES.test(lineOf(second, read))) {
    const isAlike = MAKES.test(lineOf(other, read));
    return {
      name: 'check-then-act',
      sentence: isAlike
        ? `${both} both looked whether ${it} is there before either made it`
        : `${local} looked whether ${it} is there, ${remote} changed that, then ${local} acted on the old answer`,
      hint: 'let one operation check and act at once (open with flag `wx`, `mkdir` and handle EEXIST), or hold a lock from ① to ③',
    };
  }
  if (pattern === 'WRW' && REMOVES.test(lineOf(first, read)))
    return {
      name: 'dirty read',
      sentence: `${remote} looked for ${it} after ${local} had removed it and before it was there again`,
      hint: 'do not remove it first: write a temporary file and rename that over it, which is one step, or make the reader take a lock that spans ① to ③',
    };
  return null;
}

/** Whoever has made a file takes it away, and it is another one's by then. */
function removedAsOwn(cut: CutPointView, { local, remote }: Actors, read: SourceReader): ShapeText {
  const path = cut.entity.slice('fs:'.length).replace(/ \((?:content|entries)\)$/, '');
  const it = OF_FILES.test(lineOf(cut.first, read)) ? `the file ${code(path)}` : code(path);
  return {
    name: 'overwritten own write',
    sentence: `${local} made ${it}, ${remote} made it anew, and ${local} removed it as its own`,
    hint: 'make it by one operation that fails where it is there (open with flag `wx`, `mkdir` and handle EEXIST), and remove only what is still your own',
  };
}
