// A leader announces itself and writes its term into shared memory; only who hears of it in time looks there.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

async function asked(repaired) {
  const term = new Int32Array(new SharedArrayBuffer(4));
  const [leader, follower] = ['leader', 'follower'].map(
    (role) => new Worker(new URL('./term.worker.js', import.meta.url), { workerData: { role, term, repaired } }),
  );
  const over = once(leader, 'exit');
  let hasLeader = false;
  leader.on('message', () => {
    hasLeader = true;
  });
  await setImmediate();
  follower.postMessage({ hasLeader });
  const [answer] = await once(follower, 'message');
  await Promise.all([over, follower.terminate()]);
  assert.ok(answer === 'no leader' || answer === 7, `term ${answer}`);
}

test('racy', () => asked(false));
test('repaired', () => asked(true));
