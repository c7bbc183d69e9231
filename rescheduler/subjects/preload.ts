/**
 * Loaded by `--import` into every Node process of the user's command: instruments the user's files and puts
 * the shim in the place of `node:test`. Processes that run neither (npm, the runner's own process) pay for
 * two hooks and nothing else. On plain Node nothing is instrumented.
 */
const [major] = process.versions.node.split('.', 1);
if (Number(major) < 24) {
  process.stderr.write(`unweave needs Node >= 24; this command runs on ${process.version}\n`);
  process.exit(2);
}
const { ownJob } = await import('./job.ts');
if (ownJob()?.mode === 'plain') {
  const { redirectTests } = await import('./test-redirect.ts');
  redirectTests();
} else {
  const { preload } = await import('./preload-hooks.ts');
  await preload();
}

export {};
