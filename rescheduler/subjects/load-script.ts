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
const isTheirs = (file: string, recipe: Recipe): boolean =>
  loadersOf(recipe) !== 'import' && isRequired(file) && foreignExtension(extname(file)) !== null;

export async function loadScript(file: string, recipe: Recipe): Promise<void> {
  if (isTheirs(file, recipe)) _load.call(Module, file, null, true);
  else await import(pathToFileURL(file).href);
}
