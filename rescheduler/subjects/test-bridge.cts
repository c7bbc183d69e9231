/**
 * `node:test` for those who require it. Plain CommonJS, so that hooks of `require`, which rewrite what they meet, leave
 * all that stands behind it as it is.
 */
const shared = globalThis as unknown as Record<
  symbol,
  () => typeof import('./test-cases.ts', { with: { 'resolution-mode': 'import' }})
>;
module.exports = shared[Symbol.for('unweave.test-cases')]!().shimOf(require('node:test'));
