/** Puts the shim in the place of `node:test`. */
import { registerHooks } from 'node:module';
import { extname } from 'node:path';

const SHIM = new URL(`./test-shim${extname(import.meta.url)}`, import.meta.url).href;

/** From here on whoever imports `node:test` gets the shim; `told` is called then. */
export function redirectTests(told: () => void = () => {}): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== 'node:test' || context.parentURL === SHIM) return next(specifier, context);
      told();
      return { url: SHIM, format: 'module', shortCircuit: true };
    },
  });
}
