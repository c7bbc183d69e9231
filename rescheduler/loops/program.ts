/** Loaded into the main thread of a user's own program before its code. */
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import type { ThreadsJob } from '../subjects/job.ts';
import { leaveWith, stuck } from './ending.ts';
import { newExecution, prepare } from './execution.ts';
import { watchExit } from './exit.ts';
import { failed } from './failure.ts';
import type * as Begin from './gated/begin.ts';
import { watchIdle } from './idle.ts';
import { takePart } from './take-part.ts';
import { wrapWorkers } from './workers.ts';

const require = createRequire(import.meta.url);

export function beginProgram(job: ThreadsJob): void {
  const execution = newExecution(job, job.grants.length / 2);
  prepare(execution, job);
  if (job.gated) {
    const { beginGated } = require(`./gated/begin${extname(import.meta.url)}`) as typeof Begin;
    beginGated(execution);
    return;
  }
  const part = takePart({ execution, self: 0, name: 'main', parent: 0 }, () => stuck(execution));
  part.notes.tell({ thread: 0, name: 'main' });
  wrapWorkers(part);
  watchIdle(execution, () => stuck(execution));
  process.on('uncaughtExceptionMonitor', failed);
  watchExit((code) => {
    part.holder.close();
    leaveWith(execution, code);
  });
}
