/** What the preload does once it is known that this Node is new enough. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import '../../monitor/register.ts';
import { watchEntries } from './entries.ts';
import {
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
import { noteName } from './supervisor.ts';
import { redirectTests } from './test-redirect.ts';

/** Installs the redirection of `node:test`; notes how this process was started. */
export async function preload(): Promise<void> {
  const job = ownJob();
  if (!job) return;
  let tests = false;
  redirectTests(() => (tests = true));
  if (process.execArgv.includes('--test')) {
    tellChildren();
    if (job.mode === 'record' && sharesProcess()) {
      note(job, () => tests);
      noteEntries(job);
    }
  } else if (job.mode === 'record' && process.argv[1] !== undefined) note(job, () => tests);
}

/** Leaves a note of this process, and one of its end. */
function note(job: RecordJob, tests: () => boolean): void {
  const id = noteName(process.pid, randomUUID());
  const name = join(job.out, id);
  const record: ProcessRecord = { kind: 'process', recipe: ownRecipe(job), within: standsWithin(id) };
  writeWhole(`${name}.process`, record);
  process.on('exit', (code) => {
    try {
      writeWhole(`${name}.exit`, { code, tests: tests() } satisfies ProcessEnd);
    } catch {
      // The command is over and nobody reads it.
    }
  });
}

const sharesProcess = (): boolean =>
  process.execArgv.some((arg) => /^--(?:experimental-)?test-isolation=none$/.test(arg));

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
