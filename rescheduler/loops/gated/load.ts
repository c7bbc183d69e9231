/** Loads the program of a thread, so that nothing but running it is left to do when its run begins. */
import { fileURLToPath } from 'node:url';
import type { Linker } from '../../../monitor/modules/linker.ts';
import type { ThreadLoader } from '../../../monitor/threads/load.ts';
import { threadLinker } from '../../tokens/linker.ts';

/** What runs the program at `url`. `natively`: Node itself loads it, when it is called; `linker`: who loads it else. */
export async function importerOf(
  loader: ThreadLoader,
  url: URL,
  {
    natively = false,
    linker = threadLinker(loader),
  }: { natively?: boolean; linker?: Linker | undefined } = {},
): Promise<() => Promise<unknown>> {
  const byNode = (): Promise<unknown> => import(url.href);
  if (natively || url.protocol !== 'file:') return byNode;
  const file = fileURLToPath(url);
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
