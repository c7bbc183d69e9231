/**
 * uvu, whichever way its files are started: by its command or by `node`. It has no seam, but each suite hands its tests over in
 * one statement of its text; there ours are put in their place.
 */
import { findPackageJSON, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NOTHING, type RunnerAdapter } from '../adapter.ts';
import { bridgeText, setBridge } from '../bridge.ts';
import { Suites } from './suites.ts';

/** Both of its builds. */
const MODULE = /\/uvu\/dist\/index\.m?js$/;
const HANDED_OVER = 'let run = runner.bind(0, copy, name);';
const TAKEN = `${bridgeText('uvu')}?.take(copy, name);`;

export const uvu: RunnerAdapter = {
  name: 'uvu',
  install(job) {
    if (!isInstalled()) return NOTHING;
    let suites: Suites | null = null;
    let isEdited = false;
    setBridge('uvu', {
      take: (...args: Parameters<Suites['take']>) => (suites ??= new Suites(job)).take(...args),
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

/** Programs of others load their modules without a hook of ours. */
function isInstalled(): boolean {
  try {
    return findPackageJSON('uvu', pathToFileURL(join(process.cwd(), 'x.js'))) !== undefined;
  } catch {
    return false;
  }
}

function editModule(): void {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!MODULE.test(url) || loaded.source == null) return loaded;
      const text =
        typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
      return { ...loaded, source: text.replace(HANDED_OVER, `${TAKEN}${HANDED_OVER}`) };
    },
  });
}
