/** Jest loads this in the place of its own sequencer. */
module.exports = (globalThis as unknown as Record<symbol, { readonly sequencer: unknown }>)[
  Symbol.for('unweave.jest')
]!.sequencer;
