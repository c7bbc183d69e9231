/**
 * Loaded by `--import` into every Node process of the user's command: instruments the user's files and puts
 * the shim in the place of `node:test`. Processes that run neither (npm, the runner's own process) pay for
 * two hooks and nothing else. On plain Node nothing is instrumented.
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
  if (job?.mode === 'plain' || job?.mode === 'threads') {
    const { redirectTests } = await import('./test-redirect.ts');
    // The runner keeps the clocks and timers that it finds as it loads.
    if (job.mode === 'threads' && job.gated && job.target) await import('node:test');
    redirectTests();
    if (job.mode === 'threads') await (await import('../loops/program.ts')).beginProgram(job);
  } else {
    const { preload } = await import('./preload-hooks.ts');
    await preload();
  }
}
