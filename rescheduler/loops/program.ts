/** Loaded into the main thread of a user's own program before its code. */
import { FIRST_ADDRESS, Registry } from '../../monitor/threads/registry.ts';
import type { ThreadsJob } from '../subjects/job.ts';
import { ASYNC_WORDS } from '../tokens/async-waiters.ts';
import { FREE, H, newControl, record, STATE, setOrder, shared, T } from '../tokens/control.ts';
import { FILE_WORDS } from '../tokens/file-cells.ts';
import { BROADCAST_WORDS } from './broadcasts.ts';
import { leaveWith, notesOf, stuck } from './ending.ts';
import { watchExit } from './exit.ts';
import { failed } from './failure.ts';
import { watchIdle } from './idle.ts';
import { LINE_WORDS, MAIL_WORDS, MOST_WORKERS } from './lines.ts';
import { type Execution, takePart } from './part.ts';
import { wrapWorkers } from './workers.ts';

/** Event words carry 8 bits of it. */
const MOST_THREADS = MOST_WORKERS;
const LOG_EVENTS = 1 << 20;

export async function beginProgram(job: ThreadsJob): Promise<void> {
  const execution = executionOf(job);
  if (execution.gated) return (await import('./gated/begin.ts')).beginGated(execution);
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

function executionOf(job: ThreadsJob): Execution {
  const { config, gated, grants, names, out, random, transactions, without } = job;
  const control = newControl(MOST_THREADS, grants.length / 2, LOG_EVENTS);
  new Registry(control.registry).next = FIRST_ADDRESS;
  setOrder(control, { grants, random, without, deliveries: gated?.random ?? false });
  const { words } = control;
  words[H.Threads] = Math.max(1, names.length);
  words[H.Free] = FREE.Anybody;
  words[H.Owner] = -1;
  words[H.Transactions] = transactions ? 1 : 0;
  words[record(0) + T.State] = STATE.Idle;
  return {
    control,
    lines: shared(LINE_WORDS),
    mail: shared(MAIL_WORDS),
    asyncWaiters: shared(ASYNC_WORDS),
    broadcasts: shared(BROADCAST_WORDS),
    config,
    out,
    notes: notesOf(out),
    names,
    most: MOST_THREADS,
    gated: gated && { deliveries: gated.deliveries, fileTable: shared(FILE_WORDS) },
  };
}
