/** Mocha, whichever of its versions the project has: found by the script that the process was started with. */
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { natively } from '../../../monitor/loader/own-require.ts';
import { ownScript } from '../../subjects/own-script.ts';
import { NOTHING, type RunnerAdapter } from '../adapter.ts';
import { packageOf } from '../package.ts';
import { loadMocha } from './package.ts';
import type * as TakePart from './take-part-entry.ts';

export const mocha: RunnerAdapter = {
  name: 'mocha',
  install(job) {
    const folder = packageOf(ownScript()[0], ['mocha'])?.folder;
    if (folder === undefined) return NOTHING;
    const { takePart } = natively(
      () => createRequire(import.meta.url)(`./take-part-entry${extname(import.meta.url)}`) as typeof TakePart,
    );
    // The runner keeps the clocks and timers that it finds as it loads: it comes first.
    return takePart(loadMocha(folder), job);
  },
};
