// A worker keeps sessions; the web server tells it of each visit.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

async function visited(repaired) {
  const worker = new Worker(new URL('./session.worker.js', import.meta.url), { workerData: { repaired } });
  let visits = 0;
  const both = new Promise((resolve) => {
    worker.on('message', (message) => message === 'visited' && ++visits === 2 && resolve());
  });
  worker.postMessage({ user: 'ann', page: '/' });
  await sleep(400);
  worker.postMessage({ user: 'ann', page: '/cart' });
  await both;
  const report = once(worker, 'message');
  worker.postMessage('report');
  const [pages] = await report;
  await worker.terminate();
  assert.deepEqual(pages.toSorted(), ['/', '/cart']);
}

test('racy', () => visited(false));
test('repaired', () => visited(true));
