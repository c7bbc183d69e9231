/**
 * Loaded by `--require` into Node processes that a program under test starts: nothing of ours is left in their environment when
 * their own code begins. What their threads do is not looked at.
 */
const { isMainThread } = require('node:worker_threads') as typeof import('node:worker_threads');
const told = process.env['UNWEAVE_CHILD'];
if (isMainThread && told !== undefined) begin(told);

function begin(text: string): void {
  const told = JSON.parse(text) as import('./protocol.ts', { with: { 'resolution-mode': 'import' }}).ChildJob;
  delete process.env['UNWEAVE_CHILD'];
  if (told.options === null) delete process.env['NODE_OPTIONS'];
  else process.env['NODE_OPTIONS'] = told.options;
  if (process.version !== told.node || !process.features.require_module) return;
  const extension = __filename.endsWith('.cts') ? '.ts' : '.js';
  require(`../loader/own-modules${extension}`);
  const { follow } = require(`./follow-entry${extension}`) as typeof import('./follow-entry.ts', { with: {
    'resolution-mode': 'import',
  }});
  follow(told);
}
