// A worker leaves by process.exit, one throws, one starts a worker of its own; the others go on.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

if (isMainThread) {
  const counts = new Int32Array(new SharedArrayBuffer(16));
  const start = (how) => new Worker(new URL(import.meta.url), { workerData: { counts, how } });
  const leaver = once(start('exit'), 'exit');
  const thrower = once(start('throw'), 'error');
  const parent = once(start('parent'), 'exit');
  assert.deepEqual(await leaver, [3]);
  await thrower;
  await parent;
  assert.equal(Atomics.load(counts, 0), 4);
} else {
  const { counts, how } = workerData;
  Atomics.add(counts, 0, 1);
  if (how === 'exit') process.exit(3);
  if (how === 'throw') throw new Error('as it should');
  if (how === 'parent') new Worker(new URL(import.meta.url), { workerData: { counts, how: 'child' } });
}
