/** What the preload does once it is known that this Node is new enough. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beginMonitor } from '../../monitor/begin.ts';
import { seen } from '../../monitor/loader/seen.ts';
import { watchEntries } from './entries.ts';
import {
  allOptions,
  type EntriesRecord,
  ownJob,
  ownRecipe,
  type ProcessEnd,
  type ProcessRecord,
  type RecordJob,
  standsWithin,
  tellChildren,
  writeWhole,
} from './job.ts';
import { optionValue } from './node-options.ts';
import { noteName } from './supervisor.ts';
import { redirectTests } from './test-redirect.ts';

/** Instruments, redirects `node:test`, and notes how this process was started. On plain Node only the tests are ours. */
export function preload(): void {
  const job = ownJob();
  if (job?.mode === 'plain') redirectTests();
  else beginMonitor();
  if (!job || job.mode === 'plain') return;
  const tests = redirectTests();
  if (process.execArgv.includes('--test')) {
    tellChildren();
    if (job.mode === 'record' && sharesProcess()) {
      note(job, tests);
      noteEntries(job);
    }
  } else if (job.mode === 'record' && process.argv[1] !== undefined) note(job, tests);
}

/** Leaves a note of this process, and one of its end. */
function note(job: RecordJob, tests: () => boolean): void {
  const id = noteName(process.pid, randomUUID());
  const name = join(job.out, id);
  const record: ProcessRecord = { kind: 'process', recipe: ownRecipe(job), within: standsWithin(id) };
  writeWhole(`${name}.process`, record);
  process.on('exit', (code) => {
    try {
      writeWhole(`${name}.exit`, { code, tests: tests(), seen: seen() } satisfies ProcessEnd);
    } catch {
      // The command is over and nobody reads it.
    }
  });
}

const sharesProcess = (): boolean =>
  optionValue(allOptions(), '--test-isolation', '--experimental-test-isolation') === 'none';

/** The runner's own process with all test files in it: leaves a note of those that did not load. */
function noteEntries(job: RecordJob): void {
  const broken = watchEntries();
  process.on('exit', () => {
    try {
      const files = broken();
      const record: EntriesRecord = { recipe: ownRecipe(job), files };
      if (files.length > 0) writeWhole(join(job.out, `${randomUUID()}.entries`), record);
    } catch {
      // The command is over and nobody reads it.
    }
  });
}
