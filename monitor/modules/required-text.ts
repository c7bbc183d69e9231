/** The text that `require` would compile of a file, where others have put themselves in its way. */
import { Module } from 'node:module';
import { dirname, extname } from 'node:path';
import { compiledText } from '../loader/compiled.ts';
import { extensionHandler, foreignExtension } from '../loader/own-require.ts';

/**
 * Null where nobody has, or where what they do with this file ends otherwise than in text for Node to compile. `asked`: Node's
 * own way is to be taken where nobody has, in which hooks have their place.
 */
export function requiredText(file: string, asked: boolean): string | null {
  const load = foreignExtension(extname(file)) ?? (asked ? extensionHandler(extname(file)) : null);
  if (load === null) return null;
  const module = new Module(file) as NodeModule & { paths: string[] };
  module.filename = file;
  module.paths = (Module as unknown as { _nodeModulePaths(folder: string): string[] })._nodeModulePaths(
    dirname(file),
  );
  let text: string | null = null;
  // Those who rewrite text put a function of theirs before this one, and call it in the end.
  const compile = (content: unknown, filename: string): void => {
    if (typeof content === 'string') text = compiledText(content, filename);
  };
  load(Object.assign(module, { _compile: compile }), file);
  return text;
}
