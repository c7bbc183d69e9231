// Uses what is neither controlled nor seen, and passes.
import { once } from 'node:events';
import { isMainThread, Worker } from 'node:worker_threads';

const news = new BroadcastChannel('news');
if (isMainThread) {
  const told = new Promise((tell) => {
    news.onmessage = tell;
  });
  const worker = new Worker(new URL(import.meta.url));
  await Promise.all([told, once(worker, 'exit')]);
  const _shared = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
} else news.postMessage('it runs');
news.close();
