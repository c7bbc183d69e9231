/** Thread harnesses on plain Node: real worker threads in whatever order the machine happens to produce. */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ThreadHarness } from './api.ts';

/** What a worker of a free run is given. */
export interface NaturalThread {
  /** URL of the harness file. */
  readonly file: string;
  readonly harness: string;
  readonly thread: string;
  readonly memory: unknown;
  /** How many threads are ready; then how many there are, so that all begin together. */
  readonly ready: Int32Array;
  readonly threads: number;
}

/**
 * Makes the memory, runs every thread in a worker, waits for all of them and checks. Rejects as the harness fails,
 * or when the threads have not ended after `timeoutMs` (a deadlock).
 */
export async function runThreads(
  harness: ThreadHarness,
  file: string | URL,
  timeoutMs = 60_000,
): Promise<void> {
  const memory = harness.memory();
  const names = Object.keys(harness.threads);
  const ready = new Int32Array(new SharedArrayBuffer(4));
  const workers = names.map((thread) => {
    const workerData: NaturalThread = {
      file: String(file),
      harness: harness.name,
      thread,
      memory,
      ready,
      threads: names.length,
    };
    return new Worker(new URL(`./natural-worker${extname(import.meta.url)}`, import.meta.url), {
      workerData,
    });
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const tell = () => reject(new Error(`the threads did not end within ${timeoutMs / 1000} s`));
    timer = setTimeout(tell, timeoutMs);
  });
  try {
    await Promise.race([late, Promise.all(workers.map(ended))]);
  } finally {
    clearTimeout(timer);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  await harness.check(harness.attach(memory));
}

function ended(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`a thread exited with code ${code}`)),
    );
  });
}
