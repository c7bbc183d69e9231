/** Entities in words: `fs:cart.json (content)` becomes "the content of `cart.json`". */

/** Marks code in a sentence; the renderer turns it into colour. */
export const code = (text: string): string => `\`${text}\``;

const CONTENT = ' (content)';
const ENTRIES = ' (entries)';

/** True for anything in the file system. */
export const isFile = (entity: string): boolean => entity.startsWith('fs:');

/** True for an entity that is the existence of a path. */
export function isPathEntry(entity: string): boolean {
  return isFile(entity) && !entity.endsWith(CONTENT) && !entity.endsWith(ENTRIES);
}

/** An entity as the object of a sentence. */
export function describeEntity(entity: string): string {
  if (!isFile(entity)) return code(entity);
  if (entity.endsWith(CONTENT)) return `the content of ${code(entity.slice(3, -CONTENT.length))}`;
  if (entity.endsWith(ENTRIES)) return `the list of names in ${code(entity.slice(3, -ENTRIES.length))}`;
  return `the existence of ${code(entity.slice(3))}`;
}
