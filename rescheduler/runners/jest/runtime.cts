/** Jest loads this in the place of its own runtime: from there it finds that, too. */
const { createRequire } = require('node:module') as typeof import('node:module');

interface Bridge {
  runtime(ofJest: NodeJS.Require): unknown;
}

const bridges = globalThis as unknown as Record<symbol, Bridge>;
module.exports = bridges[Symbol.for('unweave.jest')]!.runtime(createRequire(module.parent!.filename));
