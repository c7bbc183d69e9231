/** Counts what 10,000 executions leave behind: `heapUsed` and `rss` before and after, in bytes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type * as Gate from '../../rescheduler/gate/session.ts';
import type * as Run from '../../rescheduler/subjects/harness-run.ts';
import type * as Linker from '../../rescheduler/subjects/linker.ts';
import { benchFile, ours } from '../lib/ours.ts';

const [program, what] = process.argv.slice(2) as [string, 'runs' | 'control'];
const file = benchFile(`programs/forced-${program}.mjs`);
const { HarnessRunner } = await ours<typeof Run>('rescheduler/subjects/harness-run');
const { createUserLinker } = await ours<typeof Linker>('rescheduler/subjects/linker');
const { installGate } = await ours<typeof Gate>('rescheduler/gate/session');

const limits = { maxStallMs: 1000, maxPauseMs: 250, watchdogMs: 10_000 };
const runner = new HarnessRunner(createUserLinker());
let seed = 0;

/** About what a run allocates, in bytes. */
const PER_RUN = 40_000;
let garbage: number[][] = [];

async function runs(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    if (what === 'control') {
      garbage = [];
      for (let bytes = 0; bytes < PER_RUN; bytes += 200) garbage.push([bytes, i, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      await null;
      continue;
    }
    const spec = { kind: 'random', seed: seed++ } as const;
    await runner.run({ kind: 'run', file, name: 'forced', spec, limits, wantChoices: false, record: false });
  }
}

async function used(): Promise<[heap: number, rss: number]> {
  for (let i = 0; i < 5; i++) {
    globalThis.gc!();
    await sleep(20);
  }
  const { heapUsed, rss } = process.memoryUsage();
  return [heapUsed, rss];
}

const send = process.send!.bind(process);
process.once('message', async (work: number) => {
  // Caches fill and code is compiled during the first runs.
  await runs(work);
  const before = await used();
  await runs(work);
  const after = await used();
  send([after[0] - before[0], after[1] - before[1]]);
});
installGate();
