/** Jest loads this in the place of its own runner of one file, where that is run again and again. */
module.exports = (globalThis as unknown as Record<symbol, { readonly testRunner: unknown }>)[
  Symbol.for('unweave.jest')
]!.testRunner;
