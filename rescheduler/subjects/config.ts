/** What the processes under test are told about instrumentation. */
import { resolve } from 'node:path';
import { PEERS_VARIABLE } from '../../monitor/host/net/peers.ts';
import { instrumenterStamp } from '../../monitor/loader/cache.ts';
import { CONFIG_VARIABLE, defaultConfig, type LoaderConfig } from '../../monitor/loader/config.ts';

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
  /** Where instrumented text is kept. */
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
  cacheDir,
}: SubjectConfig): LoaderConfig {
  const base = defaultConfig(resolve(cwd ?? process.cwd()));
  return {
    ...base,
    stamp: instrumenterStamp(),
    ...(instrument ? { instrument } : {}),
    ...(exclude ? { exclude } : {}),
    ...(assumeIo ? { assumeIo } : {}),
    ...(locks ? { locks } : {}),
    ...(allowPeers ? { allowPeers } : {}),
    ...(cacheDir ? { cacheDir } : {}),
  };
}

/** Environment by which a process gets the configuration. */
export const configEnvironment = (config: LoaderConfig): Record<string, string> => ({
  [CONFIG_VARIABLE]: JSON.stringify(config),
});

/** Environment of a process in which runs are forced, besides. */
export const forcedEnvironment = ({ allowPeers }: LoaderConfig): Record<string, string> => ({
  [PEERS_VARIABLE]: JSON.stringify(allowPeers),
});
