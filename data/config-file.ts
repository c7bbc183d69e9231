/** Finding and loading the user's configuration: a file of its own, or the key `unweave` of package.json. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Config, ConfigError, checkConfig, parseConfig } from './config.ts';

/** Names that are looked for in the working directory. */
const CONFIG_FILES = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json'].map((end) => `unweave.config.${end}`);
const PACKAGE = 'package.json';
const KEY = 'unweave';
const MODULE = /^\.[cm]?[jt]s$/;

export interface LoadedConfig {
  readonly config: Config;
  /** Where it stands, for messages; null: there is none, these are the defaults. */
  readonly origin: string | null;
}

/**
 * The configuration of a directory, or the file that the user named, which must exist. Two in one directory are an error:
 * nobody should have to know which of them wins.
 */
export async function loadConfig(cwd: string, named?: string): Promise<LoadedConfig> {
  if (named !== undefined) {
    const file = resolve(cwd, named);
    if (!existsSync(file)) throw new ConfigError(`${file}: no such file`);
    return load(file, named);
  }
  const found = configsIn(cwd);
  if (found.length > 1)
    throw new ConfigError(`two configurations, ${found.join(' and ')}: keep one, or name one with --config`);
  const [only] = found;
  if (only === undefined) return { config: checkConfig({}, 'defaults'), origin: null };
  return load(join(cwd, only === PACKAGE_KEY ? PACKAGE : only), only);
}

const PACKAGE_KEY = `the key "${KEY}" of ${PACKAGE}`;

/** The configurations of a directory, as they are called in messages. */
export function configsIn(cwd: string): string[] {
  const files = CONFIG_FILES.filter((name) => existsSync(join(cwd, name)));
  return ownKey(join(cwd, PACKAGE)) === undefined ? files : [...files, PACKAGE_KEY];
}

/** What package.json says of us. One that cannot be read is the business of others. */
function ownKey(file: string): unknown {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown> | null)?.[KEY];
  } catch {
    return undefined;
  }
}

async function load(file: string, origin: string): Promise<LoadedConfig> {
  if (basename(file) === PACKAGE) {
    const value = ownKey(file);
    if (value === undefined) throw new ConfigError(`${file}: no key "${KEY}" to read a configuration from`);
    return { config: checkConfig(value, file, [KEY]), origin };
  }
  if (MODULE.test(extname(file))) return { config: checkConfig(await exported(file), file), origin };
  return { config: parseConfig(textOf(file), file), origin };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** What a module exports by default; Node loads TypeScript by itself. */
async function exported(file: string): Promise<unknown> {
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await import(pathToFileURL(file).href);
  } catch (error) {
    const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new ConfigError(`${file}: cannot be loaded: ${said.trim().replace(/\s+/g, ' ')}`);
  }
  if (module['default'] === undefined)
    throw new ConfigError(`${file}: exports no configuration: write "export default { … }"`);
  return module['default'];
}
