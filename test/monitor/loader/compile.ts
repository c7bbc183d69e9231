/** TypeScript compiled as projects do it, with a source map: lines of types are gone. */
import assert from 'node:assert/strict';
import { transformSync } from 'rolldown/utils';

interface Payload {
  version: number;
  sources: (string | null)[];
  sourceRoot?: string;
  names: string[];
  mappings: string;
}

export function compiled(text: string): { code: string; map: Payload } {
  const typescript = { onlyRemoveTypeImports: true };
  const made = transformSync('x.ts', text, { sourcemap: true, typescript });
  assert.deepEqual(made.errors, []);
  const code = made.code.replace(/(from ["']\.\/\w+)(?:\.test)?\.ts(["'])/g, '$1.js$2');
  return { code, map: JSON.parse(JSON.stringify(made.map)) as Payload };
}

/** The comment that names a map, with the map in it. */
export const inline = (map: unknown): string =>
  `\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}\n`;
