/**
 * `node:test` for those who require it. Plain CommonJS without types, so that hooks of `require`, which rewrite what
 * they meet, leave all that stands behind it as it is.
 */
module.exports = Reflect.get(globalThis, Symbol.for('unweave.test-cases'))().shimOf(require('node:test'));
