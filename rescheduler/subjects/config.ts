/** What the processes under test are told about instrumentation. */
import { resolve } from 'node:path';
import { ownCache } from '../../data/own-cache.ts';
import { PEERS_VARIABLE } from '../../monitor/host/net/peers.ts';
import { instrumenterStamp } from '../../monitor/loader/cache.ts';
import { CONFIG_VARIABLE, defaultConfig, type LoaderConfig } from '../../monitor/loader/config.ts';
import { boundCompiled } from '../../monitor/loader/keep-compiled.ts';
import { workspaceRoot } from '../../monitor/loader/workspace.ts';

/** The part of a user's configuration that concerns the processes under test. */
export interface SubjectConfig {
  /** Sources below it are the user's; names in results are relative to it. */
  readonly cwd?: string;
  /** Packages of node_modules, or globs, that are instrumented, too. */
  readonly instrument?: readonly string[];
  /** Globs of files that are not. */
  readonly exclude?: readonly string[];
  /** Functions whose calls complete like a host request, where a run assumes that. */
  readonly assumeIo?: readonly string[];
  /** Modules of lock adapters, as URLs. */
  readonly locks?: readonly string[];
  /** Servers in other processes that forced runs may talk to. */
  readonly allowPeers?: readonly string[];
  /** See {@link LoaderConfig.overlaps}. */
  readonly overlaps?: LoaderConfig['overlaps'];
  /** Where instrumented text is kept, in a folder that only this user knows. */
  readonly cacheDir?: string;
}

/** The loader's configuration, complete. */
export function loaderConfigOf({
  cwd,
  instrument,
  exclude,
  assumeIo,
  locks,
  allowPeers,
  overlaps,
  cacheDir,
}: SubjectConfig): LoaderConfig {
  const base = defaultConfig(resolve(cwd ?? process.cwd()));
  const workspace = workspaceRoot(base.cwd);
  const cache = ownCache(cacheDir ?? base.cacheDir);
  boundCompiled(cache);
  return {
    ...base,
    stamp: instrumenterStamp(),
    ...(workspace === null ? {} : { workspace }),
    ...(instrument ? { instrument } : {}),
    ...(exclude ? { exclude } : {}),
    ...(assumeIo ? { assumeIo } : {}),
    ...(locks ? { locks } : {}),
    ...(allowPeers ? { allowPeers } : {}),
    ...(overlaps ? { overlaps } : {}),
    cacheDir: cache,
  };
}

/** The same, with these packages looked into as well. */
export const lookingInto = (config: LoaderConfig, packages: readonly string[]): LoaderConfig => ({
  ...config,
  instrument: [...config.instrument, ...packages],
});

/** Environment by which a process gets the configuration. */
export const configEnvironment = (config: LoaderConfig): Record<string, string> => ({
  [CONFIG_VARIABLE]: JSON.stringify(config),
});

/** Environment of a process in which runs are forced, besides. */
export const forcedEnvironment = ({ allowPeers }: LoaderConfig): Record<string, string> => ({
  [PEERS_VARIABLE]: JSON.stringify(allowPeers),
});
