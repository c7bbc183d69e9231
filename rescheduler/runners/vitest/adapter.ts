/**
 * Vitest 4.1 and 5, whichever the project has. Two kinds of its processes are ours: that of the command, which reads the
 * configuration and transforms the sources, and those of the workers, which run the tests.
 */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname } from 'node:path';
import { natively } from '../../../monitor/loader/own-require.ts';
import { NOTHING, type RunnerAdapter } from '../adapter.ts';
import { packageOf } from '../package.ts';
import type * as Command from './command.ts';
import type * as Worker from './worker.ts';

export const vitest: RunnerAdapter = {
  name: 'vitest',
  install(job) {
    const [, script] = process.argv;
    const folder = packageOf(script, ['vitest'])?.folder;
    if (folder === undefined) return NOTHING;
    const require = createRequire(import.meta.url);
    const extension = extname(import.meta.url);
    return natively(() => {
      if (dirname(realpathSync(script!)) !== folder)
        return (require(`./worker${extension}`) as typeof Worker).takeWorker(job);
      return (require(`./command${extension}`) as typeof Command).takeCommand(folder, job);
    });
  },
};
