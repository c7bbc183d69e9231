/**
 * The workers that a program starts. Node runs the hooks of loaders (`module.register`, as tsx does) in a thread of its own,
 * which loads modules and is as little the program's as the threads of the pool.
 */
import type { Worker } from 'node:worker_threads';

/** Whether Node started a worker for itself. */
export const isOfNode = (worker: Worker): boolean => worker.constructor.name === 'InternalWorker';

/** Calls `told` for each worker that the program starts from now on. */
export function onWorker(told: (worker: Worker) => void): void {
  process.on('worker', (worker) => {
    if (!isOfNode(worker)) told(worker);
  });
}
