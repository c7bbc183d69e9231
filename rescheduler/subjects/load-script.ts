/** The script of a process that is ours, loaded as Node loads it. */
import Module from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { foreignExtension } from '../../monitor/loader/own-require.ts';
import { isRequired } from '../../monitor/modules/source.ts';
import { loadersOf, type Recipe } from './job.ts';

const { _load } = Module as unknown as {
  _load(file: string, parent: null, isMain: boolean): unknown;
};

/** What hooks in the way of `require` load is no module, whatever its text looks like (ts-node, esbuild-register). */
export const isTheirs = (file: string): boolean =>
  isRequired(file) && foreignExtension(extname(file)) !== null;

/** As Node loads the script of a process that has no loaders of `import`. */
export const loadTheirs = (file: string): unknown => _load.call(Module, file, null, true);

export async function loadScript(file: string, recipe: Recipe): Promise<void> {
  if (loadersOf(recipe) !== 'import' && isTheirs(file)) loadTheirs(file);
  else await import(pathToFileURL(file).href);
}
