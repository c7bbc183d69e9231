/** Puts the shim in the place of `node:test`. */
import { createRequire, registerHooks } from 'node:module';
import { extname } from 'node:path';
import { natively } from '../../../monitor/loader/own-require.ts';
import { allOptions, loaderOption, ownJob } from '../../subjects/job.ts';
import type * as TestCases from './cases.ts';

const extension = extname(import.meta.url);
const SHIM = new URL(`./shim${extension}`, import.meta.url).href;
const BRIDGE = new URL(`./bridge.c${extension.slice(1)}`, import.meta.url).href;
const BRIDGE_FORMAT = extension === '.ts' ? 'commonjs-typescript' : 'commonjs';
const KEY = Symbol.for('unweave.test-cases');

/** From here on whoever imports `node:test` gets the shim. The answer tells whether anybody has registered tests there. */
export function redirectTests(): () => boolean {
  let isLoaded = false;
  const require = createRequire(import.meta.url);
  const value = (): typeof TestCases => natively(() => require(`./cases${extension}`));
  // Who hooks into loading would have our modules rewritten for him: they are loaded before.
  if (isHooked() && process.features.require_module) value();
  if (!(KEY in globalThis)) Object.defineProperty(globalThis, KEY, { value, configurable: true });
  registerHooks({
    resolve(specifier, context, next) {
      const { conditions, parentURL } = context;
      if (specifier !== 'node:test' || parentURL === SHIM || parentURL === BRIDGE)
        return next(specifier, context);
      isLoaded = true;
      if (conditions.includes('require')) return { url: BRIDGE, format: BRIDGE_FORMAT, shortCircuit: true };
      return { url: SHIM, format: 'module', shortCircuit: true };
    },
  });
  return () => isLoaded && (globalThis as unknown as Record<symbol, typeof value>)[KEY]!().hasTests();
}

/** Others will hook into the loading of modules. */
const isHooked = (): boolean => {
  const ours = ownJob()?.preload.join('=');
  return loaderOption({ execArgv: allOptions().filter((arg) => arg !== ours), env: {} }) !== null;
};

/** Has the modules behind the shim where `require` cannot load them. */
export function provideTestCases(cases: typeof TestCases): void {
  Object.defineProperty(globalThis, KEY, { value: () => cases, configurable: true });
}
