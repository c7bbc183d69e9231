// Two workers are handed a counter over a broadcast channel; `safe`: the second one only when the first one is through.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { BroadcastChannel, isMainThread, Worker, workerData } from 'node:worker_threads';

const safe = process.argv.includes('safe');
const channel = new BroadcastChannel('counters');
if (isMainThread) {
  const counter = new Int32Array(new SharedArrayBuffer(4));
  const started = [];
  let ready = 0;
  channel.onmessage = ({ data }) => {
    if (data.is === 'ready' && ++ready === 2) channel.postMessage({ is: 'go', counter, to: safe ? 0 : -1 });
    if (data.is === 'done' && safe && data.by === 0) channel.postMessage({ is: 'go', counter, to: 1 });
  };
  for (const id of [0, 1]) started.push(new Worker(new URL(import.meta.url), { workerData: id }));
  await Promise.all(started.map((worker) => once(worker, 'exit')));
  channel.close();
  assert.equal(counter[0], 2);
} else {
  channel.onmessage = ({ data }) => {
    if (data.is !== 'go' || (data.to !== -1 && data.to !== workerData)) return;
    const { counter } = data;
    const before = counter[0];
    counter[0] = before + 1;
    channel.postMessage({ is: 'done', by: workerData });
    channel.close();
  };
  channel.postMessage({ is: 'ready' });
}
