/** Mocha, whichever of its versions the project has: found by the script that the process was started with. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { natively } from '../../../monitor/loader/own-require.ts';
import { NOTHING, type RunnerAdapter } from '../adapter.ts';
import type { MochaClass } from './api.ts';
import type * as TakePart from './take-part.ts';

export const mocha: RunnerAdapter = {
  name: 'mocha',
  install(job) {
    const folder = packageOf(process.argv[1]);
    if (folder === null) return NOTHING;
    const { takePart } = natively(
      () => createRequire(import.meta.url)(`./take-part${extname(import.meta.url)}`) as typeof TakePart,
    );
    // The runner keeps the clocks and timers that it finds as it loads: it comes first.
    return takePart(load(folder), job);
  },
};

/** The folder of the package `mocha` that a script belongs to; null: it does not. */
function packageOf(script: string | undefined): string | null {
  if (!script?.includes('mocha') || !existsSync(script)) return null;
  for (let at = dirname(realpathSync(script)); ; at = dirname(at)) {
    const manifest = join(at, 'package.json');
    if (existsSync(manifest))
      return (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string }).name === 'mocha' ? at : null;
    if (at === dirname(at)) return null;
  }
}

function load(folder: string): MochaClass {
  const loaded = createRequire(join(folder, 'package.json'))(folder) as MochaClass & { default?: MochaClass };
  return loaded.default ?? loaded;
}
