/** The linker of programs of threads: the user's files are instrumented for shared memory, and fresh. */
import { sep } from 'node:path';
import { adopt, adoptCommonJS } from '../../monitor/locks/adapters.ts';
import { createLinker, type Linker, type Namespace } from '../../monitor/modules/linker.ts';
import type { ThreadLoader } from '../../monitor/threads/load.ts';

const PACKAGES = `${sep}node_modules${sep}`;

/** `provided` replaces modules by URL. */
export const threadLinker = (loader: ThreadLoader, provided?: ReadonlyMap<string, Namespace>): Linker =>
  createLinker({
    isFresh: (file) => !file.includes(PACKAGES) || loader.selects(file),
    cacheDir: loader.cacheDir,
    transform: loader.transform,
    adopt: { module: adopt, commonjs: adoptCommonJS },
    ...(provided && { provided }),
  });
