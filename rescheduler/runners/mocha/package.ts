/** Where the Mocha of a process is. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { MochaClass } from './api.ts';

/** The folder of the package `mocha` that a script belongs to; null: it does not. */
export function packageOf(script: string | undefined): string | null {
  if (!script?.includes('mocha') || !existsSync(script)) return null;
  for (let at = dirname(realpathSync(script)); ; at = dirname(at)) {
    const manifest = join(at, 'package.json');
    if (existsSync(manifest))
      return (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string }).name === 'mocha' ? at : null;
    if (at === dirname(at)) return null;
  }
}

export function loadMocha(folder: string): MochaClass {
  const loaded = createRequire(join(folder, 'package.json'))(folder) as MochaClass & { default?: MochaClass };
  return loaded.default ?? loaded;
}
