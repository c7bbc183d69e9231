// Uses what is neither controlled nor seen, and passes.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

await once(new Worker(new URL('./idle.js', import.meta.url)), 'exit');
new BroadcastChannel('news').close();
const _shared = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
