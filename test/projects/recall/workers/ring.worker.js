import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { head, jobs, repaired } = workerData;

/** The next job, or null where none is left. */
function take() {
  for (;;) {
    const at = Atomics.load(head, 0);
    if (at === jobs.length) return null;
    if (repaired) {
      if (Atomics.compareExchange(head, 0, at, at + 1) !== at) continue;
    } else Atomics.store(head, 0, at + 1);
    return jobs[at];
  }
}

const done = [];
for (let job = take(); job !== null; job = take()) {
  await readFile(new URL(import.meta.url));
  done.push(job);
}
parentPort.postMessage(done);
