/**
 * Vitest 1 to 5, whichever the project has. Two kinds of its processes are ours: that of the command, which reads the
 * configuration and transforms the sources, and those of the workers, which run the tests.
 */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname } from 'node:path';
import { RUNNERS } from '../../../data/runners.ts';
import { natively } from '../../../monitor/loader/own-require.ts';
import { NOTHING, type RunnerAdapter } from '../adapter.ts';
import { packageOf } from '../package.ts';
import type * as Command from './command.ts';
import type * as Worker from './worker.ts';

/** Before Vitest 4 its workers were those of this package. */
const POOL = 'tinypool';

export const vitest: RunnerAdapter = {
  name: 'vitest',
  install(job) {
    const [, script] = process.argv;
    const of = packageOf(script, ['vitest', POOL]);
    if (of === null || (of.name !== POOL && of.major < RUNNERS.vitest.since)) return NOTHING;
    const { folder } = of;
    const require = createRequire(import.meta.url);
    const extension = extname(import.meta.url);
    return natively(() => {
      if (dirname(realpathSync(script!)) !== folder)
        return (require(`./worker${extension}`) as typeof Worker).takeWorker(job);
      return (require(`./command${extension}`) as typeof Command).takeCommand(folder, job);
    });
  },
};
