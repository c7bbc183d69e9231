/**
 * Loaded by `--import` where the other preload, which cannot wait, does not do: by programs that start their own
 * workers, and where modules of the user come first (lock adapters), or `require` knows no ES modules.
 */
import { getEnvironmentData, isMainThread } from 'node:worker_threads';
import { PLACE } from '../loops/place.ts';

const [major] = process.versions.node.split('.', 1);
if (Number(major) < 24) {
  process.stderr.write(`unweave needs Node >= 24; this command runs on ${process.version}\n`);
  process.exit(2);
}
if (!isMainThread) {
  // What a worker does is not looked at, but where threads are what is looked at.
  if (getEnvironmentData(PLACE) !== undefined) {
    await import('../../monitor/loader/own-modules.ts');
    await import('../loops/start.ts');
  }
} else {
  await import('../../monitor/loader/own-modules.ts');
  const { ownJob } = await import('./job.ts');
  const job = ownJob();
  if (job?.mode === 'threads') {
    const { installRunners } = await import('../runners/install.ts');
    // The runner keeps the clocks and timers that it finds as it loads.
    if (job.gated && job.target) await import('node:test');
    if (!installRunners(job).runsElsewhere) await (await import('../loops/program.ts')).beginProgram(job);
  } else {
    const { loadAdapters } = await import('../../monitor/locks/user.ts');
    const { preload } = await import('./preload-hooks.ts');
    // Before the hooks: adapters belong to the monitor, and are not instrumented.
    if (job && job.mode !== 'plain') await loadAdapters(job.config.locks);
    const { provideTestCases } = await import('../runners/node-test/redirect.ts');
    if (!process.features.require_module) provideTestCases(await import('../runners/node-test/cases.ts'));
    preload();
  }
}
