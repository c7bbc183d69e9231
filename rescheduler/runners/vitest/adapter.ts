/**
 * Vitest 4.1 and 5, whichever the project has. Two kinds of its processes are ours: that of the command, which reads the
 * configuration and transforms the sources, and those of the workers, which run the tests.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { natively } from '../../../monitor/loader/own-require.ts';
import { NOTHING, type RunnerAdapter } from '../adapter.ts';
import type * as Command from './command.ts';
import type * as Worker from './worker.ts';

export const vitest: RunnerAdapter = {
  name: 'vitest',
  install(job) {
    const [, script] = process.argv;
    const folder = packageOf(script);
    if (folder === null) return NOTHING;
    const require = createRequire(import.meta.url);
    const extension = extname(import.meta.url);
    return natively(() => {
      if (dirname(realpathSync(script!)) !== folder)
        return (require(`./worker${extension}`) as typeof Worker).takeWorker(job);
      return (require(`./command${extension}`) as typeof Command).takeCommand(folder, job);
    });
  },
};

/** The folder of the package `vitest` that a script belongs to; null: it does not. */
function packageOf(script: string | undefined): string | null {
  if (!script?.includes('vitest') || !existsSync(script)) return null;
  for (let at = dirname(realpathSync(script)); ; at = dirname(at)) {
    const manifest = join(at, 'package.json');
    if (existsSync(manifest))
      return (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string }).name === 'vitest' ? at : null;
    if (at === dirname(at)) return null;
  }
}
