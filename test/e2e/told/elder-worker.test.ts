/** A worker that is older than a test and brings it answers: nothing that passes by it is taken for all there is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project, run } from '../batch/command.ts';

const FILES = {
  'worker.mjs': `import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
parentPort.on('message', async (file) => parentPort.postMessage((await readFile(file)).length));
`,
  'a.test.mjs': `import assert from 'node:assert/strict';
import { once } from 'node:events';
import { afterEach, beforeEach, test } from 'node:test';
import { Worker } from 'node:worker_threads';
let worker;
beforeEach(() => { worker = new Worker(new URL('./worker.mjs', import.meta.url)); });
afterEach(() => worker.terminate());
test('asks', async () => {
  worker.postMessage('package.json');
  const [length] = await once(worker, 'message');
  assert.ok(length > 0);
});
`,
};

test('its event loop is told as not controlled', async (t) => {
  const cwd = project(t, FILES);
  const { out } = await run(cwd, ['run', '--max-schedules', '1', '--', 'node', '--test']);
  assert.match(out, /event loops of threads, for a worker that was\s+started outside\s+of the test/);
  assert.doesNotMatch(out, /one order each/);
});
