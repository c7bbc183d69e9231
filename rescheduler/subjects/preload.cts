/**
 * Loaded by `--require` into every Node process of the user's command: instruments the user's files and puts the shim in
 * the place of `node:test`. With `--import` Node would load the program itself by the loader of ES modules, past all
 * that hooks into `require`, as ts-node does. Processes that run neither tests nor files of the user (npm, the runner's
 * own process) pay for two hooks and nothing else. On plain Node nothing is instrumented.
 */
const major = Number(process.versions.node.split('.', 1)[0]);
if (major < 24) {
  process.stderr.write(`unweave needs Node >= 24; this command runs on ${process.version}\n`);
  process.exit(2);
}
const { getEnvironmentData, isMainThread } =
  require('node:worker_threads') as typeof import('node:worker_threads');
const extension = __filename.endsWith('.cts') ? '.ts' : '.js';
// What a worker does is not looked at, but where threads are what is looked at.
if (isMainThread) begin();
else if (getEnvironmentData('unweave:place') !== undefined) beginThread();

function begin(): void {
  if (!process.features.require_module) {
    process.stderr.write(
      'unweave: give --no-experimental-require-module on the command line of node itself\n',
    );
    process.exit(2);
  }
  require(`../../monitor/loader/own-modules${extension}`);
  const { preload } = require(`./preload-hooks${extension}`) as typeof import('./preload-hooks.ts', { with: {
    'resolution-mode': 'import',
  }});
  preload();
}

function beginThread(): void {
  require(`../../monitor/loader/own-modules${extension}`);
  require(`../loops/start${extension}`);
}
