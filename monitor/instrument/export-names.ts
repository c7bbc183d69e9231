/** The names that `import` finds in a CommonJS file: Node reads them off its text, which hooks make unreadable. */
import { createRequire } from 'node:module';
import type { parse } from 'cjs-module-lexer';
import { UNCOUNTED } from './uncounted.ts';

/** Its JavaScript build needs no start-up. */
const lexer = createRequire(import.meta.url)('cjs-module-lexer') as { parse: typeof parse };

/**
 * A last line that never runs and from which Node reads the names that it reads off `code` (the notation of bundlers:
 * `0 && (exports.name = 0)`). Empty where there are none.
 */
export function exportNames(code: string): string {
  let read: ReturnType<typeof parse>;
  try {
    read = lexer.parse(code);
  } catch {
    // Node reads no names off such a text either.
    return '';
  }
  const again = read.reexports.map((module) => `...require(${JSON.stringify(module)})`).join(', ');
  const names = [...new Set(read.exports)].map((name) => `exports[${JSON.stringify(name)}] = `).join('');
  const parts = [again && `module.exports = { ${again} }`, names && `${names}0`].filter(
    (part) => part !== '',
  );
  return parts.length > 0 ? `\n;${UNCOUNTED}0 && (${parts.join(', ')});` : '';
}
