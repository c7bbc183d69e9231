/**
 * What `import()` means in code that is made from text while the program runs (`new Function('f', 'return import(f)')`, as
 * packages do that must not be rewritten by compilers): it inherits the loader of the module that made it. Modules that we
 * compile ourselves have Node's own there, as they would natively.
 */
import { compileFunction, constants } from 'node:vm';

export const BY_NODE = { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER } as const;

// Node warns once that this is experimental: that is our affair, and no word of the program's.
const { emitWarning } = process;
process.emitWarning = () => {};
try {
  compileFunction('', [], BY_NODE);
} finally {
  process.emitWarning = emitWarning;
}
