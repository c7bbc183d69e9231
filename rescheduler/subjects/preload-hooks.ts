/** What the preload does once it is known that this Node is new enough. */
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { stopCoverage } from 'node:v8';
import { beginMonitor, watchTestCallsAlone } from '../../monitor/begin.ts';
import { watchRequestsAlone } from '../../monitor/exchanges/install.ts';
import { configure } from '../../monitor/loader/config.ts';
import { seen } from '../../monitor/loader/seen.ts';
import type * as Program from '../loops/program.ts';
import { NOTHING, type Taken } from '../runners/adapter.ts';
import { installRunners } from '../runners/install.ts';
import { watchEntries } from '../runners/node-test/entries.ts';
import {
  allOptions,
  type EntriesRecord,
  ownJob,
  ownRecipe,
  type ProcessEnd,
  type ProcessRecord,
  type RecordJob,
  standsWithin,
  type ThreadsJob,
  tellChildren,
  writeWhole,
} from './job.ts';
import { optionValue } from './node-options.ts';
import { ownScript } from './own-script.ts';
import { noteName } from './supervisor.ts';

const require = createRequire(import.meta.url);

/** Instruments, takes part in the runners of tests, and notes how this process was started. On plain Node only the tests are ours. */
export function preload(): void {
  const job = ownJob();
  if (job?.mode === 'threads') {
    preloadThreads(job);
    return;
  }
  if (job) configure(job.config);
  if (job?.mode !== 'plain') beginMonitor();
  else if (job.config.overlaps === 'requests') watchRequestsAlone();
  else if (job.config.overlaps === 'calls') watchTestCallsAlone();
  if (!job) return;
  // The engine counts what runs of the instrumented text, and who reads the counts takes them for those of the user's: bounds on
  // coverage would not be met. Where nothing is counted there is nothing below them.
  if (job.mode !== 'plain') stopCoverage();
  let taken = NOTHING;
  if (process.execArgv.includes('--test')) {
    if (job.mode !== 'plain') tellChildren();
    if (job.mode === 'record' && sharesProcess()) {
      note(job, () => taken);
      noteEntries(job);
    }
  } else if (job.mode === 'record' && ownScript().length > 0) note(job, () => taken);
  // Behind the note: test cases tell by it which process they are of.
  taken = installRunners(job);
}

/** The same where the threads of the program are what is looked at. */
function preloadThreads(job: ThreadsJob): void {
  // The runner keeps the clocks and timers that it finds as it loads.
  if (job.gated && job.target) require('node:test');
  if (installRunners(job).runsElsewhere) return;
  const { beginProgram } = require(`../loops/program${extname(import.meta.url)}`) as typeof Program;
  beginProgram(job);
}

/** Leaves a note of this process, and one of its end. */
function note(job: RecordJob, taken: () => Taken): void {
  const id = noteName(process.pid, randomUUID());
  const name = join(job.out, id);
  const record: ProcessRecord = { kind: 'process', recipe: ownRecipe(job), within: standsWithin(id) };
  writeWhole(`${name}.process`, record);
  atExit((code) => {
    try {
      const { hasTests, hasFailed, notRun } = taken();
      const told = code === 0 && hasFailed() ? 1 : code;
      const end = {
        code: told,
        tests: hasTests(),
        notRun: notRun?.() ?? 0,
        seen: seen(),
        tookMs: performance.now(),
      };
      writeWhole(`${name}.exit`, end satisfies ProcessEnd);
    } catch {
      // The command is over and nobody reads it.
    }
  });
}

/** Once, also where the program leaves by what Node calls last, without a word to the listeners of `exit`. */
function atExit(tell: (code: number) => void): void {
  const { reallyExit } = process as NodeJS.Process & { reallyExit(code?: number): never };
  let isTold = false;
  const end = (code: unknown): void => {
    if (!isTold) tell(Number(code ?? 0));
    isTold = true;
  };
  process.on('exit', end);
  Object.assign(process, {
    reallyExit(this: NodeJS.Process, code?: number): never {
      end(code);
      return reallyExit.call(this, code);
    },
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
