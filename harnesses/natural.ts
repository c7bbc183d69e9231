/**
 * Harnesses on plain Node: whatever order the machine happens to produce.
 * `node harnesses/natural.ts <file> …` runs every harness of the files once.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Harness } from './api.ts';
import { loadRegistered } from './load.ts';
import { runThreads } from './natural-threads.ts';

/** Sets up, starts all tasks together, waits for all of them and checks. Rejects as the harness fails. */
export async function runNaturally(harness: Harness): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'unweave-natural-'));
  try {
    const state = await harness.setup({ dir });
    await Promise.all(Object.values(harness.tasks).map((task) => task(state)));
    await harness.check(state);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function main(files: readonly string[]): Promise<void> {
  for (const path of files) {
    const file = pathToFileURL(resolve(path));
    const { tasks, threads } = await loadRegistered(file);
    for (const harness of tasks) await tell(harness.name, runNaturally(harness));
    for (const harness of threads) await tell(harness.name, runThreads(harness, file));
  }
}

async function tell(name: string, run: Promise<void>): Promise<void> {
  try {
    await run;
    console.log(`pass  ${name}`);
  } catch (error) {
    console.log(`FAIL  ${name}\n      ${String(error)}`);
    process.exitCode = 1;
  }
}

if (import.meta.main) await main(process.argv.slice(2));
