/** Loads the program of a thread, so that nothing but running it is left to do when its run begins. */
import { fileURLToPath } from 'node:url';
import type { Linker } from '../../../monitor/modules/linker.ts';
import type { ThreadLoader } from '../../../monitor/threads/load.ts';
import { isTheirs, loadTheirs } from '../../subjects/load-script.ts';
import { threadLinker } from '../../tokens/linker.ts';

/** What runs the program at `url`. `linker`: who loads it. */
export async function importerOf(
  loader: ThreadLoader,
  url: URL,
  linker: Linker = threadLinker(loader),
): Promise<() => unknown> {
  const byNode = (): Promise<unknown> => import(url.href);
  if (url.protocol !== 'file:') return byNode;
  const file = fileURLToPath(url);
  if (isTheirs(file)) return () => loadTheirs(file);
  // A package comes from Node, once.
  if (!loader.selects(file)) return byNode;
  try {
    await linker.load(file);
  } catch {
    // Syntax errors and missing files are Node's to report, too.
    return byNode;
  }
  return () => linker.instance(file).import(file);
}
