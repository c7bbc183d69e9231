/**
 * uvu, whichever way its files are started: by its command or by `node`. It has no seam, but each suite hands its tests over in
 * one statement of its text; there ours are put in their place.
 */
import { createRequire, findPackageJSON, registerHooks } from 'node:module';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { natively } from '../../../monitor/loader/own-require.ts';
import type { Job } from '../../subjects/job.ts';
import { NOTHING, type RunnerAdapter } from '../adapter.ts';
import { setBridge } from '../bridge.ts';
import { editModule } from './edit.ts';
import { MODULE } from './module.ts';
import type { Suites } from './suites.ts';
import type * as Taking from './suites-entry.ts';

export const uvu: RunnerAdapter = {
  name: 'uvu',
  install(job) {
    if (!isInstalled()) return NOTHING;
    let suites: Suites | null = null;
    let isEdited = false;
    setBridge('uvu', {
      take: (...args: Parameters<Suites['take']>) => (suites ??= suitesOf(job)).take(...args),
    });
    registerHooks({
      resolve(specifier, context, next) {
        const resolved = next(specifier, context);
        if (MODULE.test(resolved.url) && !isEdited) {
          isEdited = true;
          editModule();
        }
        return resolved;
      },
    });
    return {
      hasTests: () => suites?.hasTests === true,
      hasFailed: () => suites?.hasFailed === true,
    };
  },
};

/** What they need is loaded where there are some. */
const suitesOf = (job: Job): Suites =>
  natively(() => {
    const taking = createRequire(import.meta.url)(
      `./suites-entry${extname(import.meta.url)}`,
    ) as typeof Taking;
    return taking.suitesOf(job);
  });

/** Programs of others load their modules without a hook of ours. */
function isInstalled(): boolean {
  try {
    return findPackageJSON('uvu', pathToFileURL(join(process.cwd(), 'x.js'))) !== undefined;
  } catch {
    return false;
  }
}
