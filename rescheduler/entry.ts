/** Files of ours that are found by their path: what a process or a thread begins with, or loads first. */
import { extname } from 'node:path';

const ROOT = new URL('../', import.meta.url).href;

/**
 * Set while our own tests run: they begin with the sources, and what they start with the compiled files, as with
 * users. These are a few large ones and make a process a third cheaper.
 */
const startsCompiled = process.env['TESTS_START_COMPILED'] !== undefined;

/** Where the module is that `base` calls so, which has the extension of `base` in its place. */
export function entryUrl(path: string, base: string): URL {
  const source = new URL(path + extname(base), base).href;
  if (!startsCompiled || !source.endsWith('.ts')) return new URL(source);
  return new URL(`dist/${source.slice(ROOT.length).replace(/\.ts$/, '.js')}`, ROOT);
}
