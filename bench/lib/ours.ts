/** Finds our own modules: compiled where a build is there, as users run them, else the sources. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DIST = new URL('../../dist/', import.meta.url);
const SOURCES = new URL('../../', import.meta.url);

/** True where the figures are of compiled code. */
export const built: boolean = existsSync(new URL('cli/bin.js', DIST));

/** URL of a module of ours, of the source where it is no file of its own when compiled; `path` is without extension. */
export function ourUrl(path: string): string {
  const compiled = new URL(`${path}.js`, DIST);
  return existsSync(compiled) ? compiled.href : new URL(`${path}.ts`, SOURCES).href;
}

/** Imports a module of ours; the type is that of the source. */
export async function ours<T>(path: string): Promise<T> {
  return (await import(ourUrl(path))) as T;
}

/** Path of a file beside `bench/main.ts`. */
export const benchFile = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
