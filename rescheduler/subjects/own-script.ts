/** The script of this process. */
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';

/** A copy of what `spawn-wrap` puts in front of each script, as nyc did before its version 15. The folder goes when nyc ends. */
const isWrapper = (script: string): boolean => basename(dirname(script)).startsWith('.node-spawn-wrap-');

/**
 * The script of this process and what it was given; empty where there is none. That of a wrapper is what it will run. With
 * options of Node in front of it a wrapper only starts itself anew.
 */
export function ownScript(argv: readonly string[] = process.argv): string[] {
  const [, script, ...rest] = argv;
  if (script === undefined) return [];
  if (!isWrapper(script)) return [script, ...rest];
  const [wrapped = '-', ...given] = rest;
  return wrapped.startsWith('-') ? [] : [resolve(wrapped), ...given];
}

/** The file of a script, where Node was given its folder or left to add the extension; what was given where there is none. */
export function fileOfScript(script: string): string {
  if (statSync(script, { throwIfNoEntry: false })?.isFile()) return script;
  try {
    return createRequire(join(process.cwd(), 'any')).resolve(resolve(script));
  } catch {
    return script;
  }
}
