// A small pool: one thread per entry of `jobs`, each given its job and the shared memory.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Runs each job in a worker of its own, and gives what they answered. */
export async function runAll(script, jobs) {
  const url = new URL(script, import.meta.url);
  const workers = jobs.map((workerData) => new Worker(url, { workerData }));
  const answers = await Promise.all(workers.map(async (worker) => (await once(worker, 'message'))[0]));
  await Promise.all(workers.map((worker) => worker.terminate()));
  return answers;
}
