/** Entities in words: `fs:cart.json (content)` becomes "the content of `cart.json`". */

/** Marks code in a sentence; the renderer turns it into colour. */
export const code = (text: string): string => `\`${text}\``;

const CONTENT = ' (content)';

/** True for an entity that is the existence of a path. */
export function isPathEntry(entity: string): boolean {
  return entity.startsWith('fs:') && !entity.endsWith(CONTENT);
}

/** An entity as the object of a sentence. */
export function describeEntity(entity: string): string {
  if (!entity.startsWith('fs:')) return code(entity);
  if (entity.endsWith(CONTENT)) return `the content of ${code(entity.slice(3, -CONTENT.length))}`;
  return `the existence of ${code(entity.slice(3))}`;
}
