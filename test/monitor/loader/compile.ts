/** TypeScript compiled as projects do it, with a source map: lines of types are gone. */
import { stripTypeScriptTypes } from 'node:module';

interface Payload {
  version: number;
  sources: (string | null)[];
  sourceRoot?: string;
  names: string[];
  mappings: string;
}

const MAP = /\n*\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/;

export function compiled(text: string): { code: string; map: Payload } {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => {};
  const made = stripTypeScriptTypes(text, { mode: 'transform', sourceMap: true, sourceUrl: 'x.ts' });
  process.emitWarning = emitWarning;
  const [comment = '', base64 = ''] = MAP.exec(made) ?? [];
  const code = made
    .slice(0, made.length - comment.length)
    .replace(/\n\/\/# sourceURL=.*/, '')
    .replace(/(from '\.\/\w+)(?:\.test)?\.ts'/g, "$1.js'");
  return { code, map: JSON.parse(Buffer.from(base64, 'base64').toString()) as Payload };
}

/** The comment that names a map, with the map in it. */
export const inline = (map: unknown): string =>
  `\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}\n`;
