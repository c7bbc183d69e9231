/**
 * Loaded by `--import` where the other preload, which cannot wait, does not do: where modules of the user come first (lock
 * adapters), or `require` knows no ES modules.
 */
import { getEnvironmentData, isMainThread } from 'node:worker_threads';
import { PLACE } from '../loops/place.ts';

const [major] = process.versions.node.split('.', 1);
if (Number(major) < 24) {
  process.stderr.write(`unweave needs Node >= 24; this command runs on ${process.version}\n`);
  process.exit(2);
}
if (isMainThread) {
  await import('../../monitor/loader/own-modules.ts');
  const { ownJob } = await import('./job.ts');
  const { loadAdapters } = await import('../../monitor/locks/user.ts');
  const { preload } = await import('./preload-hooks.ts');
  const job = ownJob();
  // Before the hooks: adapters belong to the monitor, and are not instrumented.
  if (job && job.mode !== 'plain' && job.mode !== 'threads') await loadAdapters(job.config.locks);
  const { provideTestCases } = await import('../runners/node-test/redirect.ts');
  if (!process.features.require_module) provideTestCases(await import('../runners/node-test/cases.ts'));
  preload();
} else if (getEnvironmentData(PLACE) !== undefined) {
  // What a worker does is not looked at, but where threads are what is looked at.
  await import('../../monitor/loader/own-modules.ts');
  await import('../loops/start.ts');
}
