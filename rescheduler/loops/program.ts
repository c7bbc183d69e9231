/** Loaded into the main thread of a user's own program before its code. */
import { FIRST_ADDRESS, Registry } from '../../monitor/threads/registry.ts';
import { plainFailure } from '../failure.ts';
import type { ThreadsJob } from '../subjects/job.ts';
import { ASYNC_WORDS } from '../tokens/async-waiters.ts';
import { FREE, H, newControl, record, STATE, setOrder, shared, T } from '../tokens/control.ts';
import { BROADCAST_WORDS } from './broadcasts.ts';
import { leave, notesOf, stuck } from './ending.ts';
import { watchExit } from './exit.ts';
import { failed, firstFailure } from './failure.ts';
import { watchIdle } from './idle.ts';
import { LINE_WORDS, MAIL_WORDS, MOST_WORKERS } from './lines.ts';
import { type Execution, takePart } from './part.ts';
import { wrapWorkers } from './workers.ts';

/** Event words carry 8 bits of it. */
const MOST_THREADS = MOST_WORKERS;
const LOG_EVENTS = 1 << 20;

export function beginProgram(job: ThreadsJob): void {
  const execution = executionOf(job);
  const part = takePart({ execution, self: 0, name: 'main' }, () => stuck(execution));
  part.notes.tell({ thread: 0, name: 'main' });
  wrapWorkers(part);
  watchIdle(execution, () => stuck(execution));
  process.on('uncaughtExceptionMonitor', failed);
  watchExit((code) => {
    part.holder.close();
    const silent = plainFailure('exception', 'ExitCode', `exit code ${code}`);
    // What the program itself has caught is no failure.
    leave(execution, { outcome: 'ended', failure: code === 0 ? null : (firstFailure() ?? silent) });
  });
}

function executionOf({ config, grants, names, out, random, transactions, without }: ThreadsJob): Execution {
  const control = newControl(MOST_THREADS, grants.length / 2, LOG_EVENTS);
  new Registry(control.registry).next = FIRST_ADDRESS;
  setOrder(control, { grants, random, without });
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
  };
}
