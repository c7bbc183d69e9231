/** What the preload is told through the environment. */
import { resolve } from 'node:path';
import { isOverlapped, type Overlapped } from '../../data/overlapped.ts';

export interface LoaderConfig {
  /** Sources below it are instrumented; their names in reports are relative to it. */
  readonly cwd: string;
  readonly cacheDir: string;
  /** Root of the workspace that `cwd` is in: what lies below it is the user's as well. */
  readonly workspace?: string;
  /** Further sources: folder names in node_modules, or globs relative to `cwd`. */
  readonly instrument: readonly string[];
  /** Globs relative to `cwd` that are left alone. */
  readonly exclude: readonly string[];
  /** Functions whose calls complete like a host request, where a run assumes that. */
  readonly assumeIo: readonly string[];
  /** Modules of the user's lock adapters, as URLs. */
  readonly locks: readonly string[];
  /** Servers in other processes that forced runs may talk to, as `host:port` or the path of a pipe. */
  readonly allowPeers: readonly string[];
  /** What tests do one behind the other that is told: some of it is to overlap. */
  readonly overlaps?: Overlapped;
  /** Of the instrumenter, see cache.ts, as whoever started this process has found it. */
  readonly stamp?: string;
  /** Folder in which somebody is asked to instrument files, see planner.ts. */
  readonly planner?: string;
}

export const CONFIG_VARIABLE = 'UNWEAVE_CONFIG';

/** The configuration for a working directory, where nothing else is said. */
export function defaultConfig(cwd: string = process.cwd()): LoaderConfig {
  return {
    cwd,
    cacheDir: resolve(cwd, '.unweave/cache'),
    instrument: [],
    exclude: [],
    assumeIo: [],
    locks: [],
    allowPeers: [],
  };
}

/** Reads the variable's JSON; throws with one clear line where it is not what it should be. */
export function parseConfig(json: string | undefined): LoaderConfig {
  if (json === undefined || json === '') return defaultConfig();
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch {
    throw new Error(`${CONFIG_VARIABLE} is not JSON`);
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new Error(`${CONFIG_VARIABLE} is not an object`);
  }
  const { cwd, cacheDir, instrument, exclude, assumeIo, locks, allowPeers } = given as Record<
    string,
    unknown
  >;
  const { stamp, workspace, overlaps, planner } = given as Record<string, unknown>;
  const base = defaultConfig(cwd === undefined ? undefined : text('cwd', cwd));
  return {
    cwd: base.cwd,
    cacheDir: cacheDir === undefined ? base.cacheDir : resolve(base.cwd, text('cacheDir', cacheDir)),
    instrument: instrument === undefined ? [] : texts('instrument', instrument),
    exclude: exclude === undefined ? [] : texts('exclude', exclude),
    assumeIo: assumeIo === undefined ? [] : texts('assumeIo', assumeIo),
    locks: locks === undefined ? [] : texts('locks', locks),
    allowPeers: allowPeers === undefined ? [] : texts('allowPeers', allowPeers),
    ...(workspace === undefined ? {} : { workspace: text('workspace', workspace) }),
    ...(isOverlapped(overlaps) ? { overlaps } : {}),
    ...(stamp === undefined ? {} : { stamp: text('stamp', stamp) }),
    ...(planner === undefined ? {} : { planner: text('planner', planner) }),
  };
}

function text(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new Error(`${CONFIG_VARIABLE}: ${name} is not a string`);
  return value;
}

function texts(name: string, value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new Error(`${CONFIG_VARIABLE}: ${name} is not a list`);
  return value.map((item) => text(name, item));
}

let config: LoaderConfig | null = null;

/** The configuration of this process; read from the environment unless it was set. */
export function loaderConfig(): LoaderConfig {
  config ??= parseConfig(process.env[CONFIG_VARIABLE]);
  return config;
}

/** Sets the configuration of this process. */
export function configure(given: LoaderConfig): void {
  config = given;
}
