/** One thread of a free run. */
import { workerData } from 'node:worker_threads';
import { loadThreadHarnesses } from './load.ts';
import type { NaturalThread } from './natural-threads.ts';

const { file, harness: name, memory, ready, thread, threads } = workerData as NaturalThread;
const harness = (await loadThreadHarnesses(file)).find((each) => each.name === name)!;
const state = harness.attach(memory);
if (Atomics.add(ready, 0, 1) === threads - 1) Atomics.notify(ready, 0);
for (let seen = Atomics.load(ready, 0); seen < threads; seen = Atomics.load(ready, 0))
  Atomics.wait(ready, 0, seen);
await harness.threads[thread]!(state);
