// Uses what is neither controlled nor seen, and passes: code of WebAssembly with a shared memory of its own.
import { once } from 'node:events';
import { isMainThread, Worker } from 'node:worker_threads';

// (module (memory (export "memory") 1 1 shared))
const MODULE = [0, 97, 115, 109, 1, 0, 0, 0, 5, 4, 1, 3, 1, 1, 7, 10, 1, 6, 109, 101, 109, 111, 114, 121, 2, 0];
if (isMainThread) {
  await once(new Worker(new URL(import.meta.url)), 'exit');
  await WebAssembly.instantiate(new Uint8Array(MODULE));
} else new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(MODULE)));
