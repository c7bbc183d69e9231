/** The linker as executors use it: the user's files are instrumented and fresh, packages are Node's own. */
import { sep } from 'node:path';
import { instrumentFile, isSelected, loaderConfig } from '../../monitor/loader/index.ts';
import { adopt, adoptCommonJS } from '../../monitor/locks/adapters.ts';
import { createLinker, type Linker, type Namespace, type ViaLoaders } from '../../monitor/modules/linker.ts';

const PACKAGES = `${sep}node_modules${sep}`;

/** Files that the user excludes from instrumentation have state as well: they are fresh, too. */
const isFresh = (file: string): boolean =>
  !file.includes(PACKAGES) || isSelected(file.replace(/\.json$/, '.js'), loaderConfig());

/**
 * A linker for the user's files as this process is configured; `provided` replaces modules by URL. `viaLoaders`: the user
 * has loaders of his own.
 */
export function createUserLinker(
  provided?: ReadonlyMap<string, Namespace>,
  viaLoaders: ViaLoaders = false,
): Linker {
  return createLinker({
    isFresh,
    viaLoaders,
    cacheDir: loaderConfig().cacheDir,
    transform: (text, file, format) => instrumentFile(file, text, format)?.code ?? text,
    adopt: { module: adopt, commonjs: adoptCommonJS },
    ...(provided ? { provided } : {}),
  });
}
