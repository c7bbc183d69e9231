/** The memory that all threads of an execution share, and how it is to go. */
import { FIRST_ADDRESS, Registry } from '../../monitor/threads/registry.ts';
import type { ThreadsJob } from '../subjects/job.ts';
import { ASYNC_WORDS } from '../tokens/async-waiters.ts';
import { FREE, H, newControl, record, STATE, setOrder, shared, T } from '../tokens/control.ts';
import { FILE_WORDS } from '../tokens/file-cells.ts';
import { BROADCAST_WORDS } from './broadcasts.ts';
import { notesOf } from './ending.ts';
import { LINE_WORDS, MAIL_WORDS, MOST_WORKERS } from './lines.ts';
import type { ThreadExecution } from './thread.ts';

/** Event words carry 8 bits of it. */
const MOST_THREADS = MOST_WORKERS;
const LOG_EVENTS = 1 << 20;

/** What an execution is told. */
export type ExecutionJob = Omit<ThreadsJob, 'mode' | 'config' | 'preload' | 'permissions' | 'target' | 'out'>;

// The original: what the program calls is wrapped.
const fill = Int32Array.prototype.fill;

/** Memory in which nothing has happened, with room for so many grants. */
export function newExecution(
  { config, out }: Pick<ThreadsJob, 'config' | 'out'>,
  grants: number,
): ThreadExecution {
  return {
    control: newControl(MOST_THREADS, grants, LOG_EVENTS),
    lines: shared(LINE_WORDS),
    mail: shared(MAIL_WORDS),
    asyncWaiters: shared(ASYNC_WORDS),
    broadcasts: shared(BROADCAST_WORDS),
    fileTable: shared(FILE_WORDS),
    config,
    out,
    notes: notesOf(out),
    most: MOST_THREADS,
    isWarm: false,
    plan: { names: [], gated: null, callsAt: null },
  };
}

/** Numbers of program points last; all else is as it was when nothing had happened. No thread is on its way. */
export function prepare(execution: ThreadExecution, orders: ExecutionJob): void {
  const { asyncWaiters, broadcasts, control, fileTable, lines, mail } = execution;
  const { callsAt, chance, gated, grants, names, transactions, without } = orders;
  const { words } = control;
  for (const list of [words, lines, broadcasts]) fill.call(list, 0);
  for (const list of [mail, asyncWaiters, fileTable]) list[0] = 0;
  new Registry(control.registry).next = FIRST_ADDRESS;
  setOrder(control, { grants, chance, without, deliveries: gated?.random ?? false });
  words[H.Threads] = Math.max(1, names.length);
  words[H.Free] = FREE.Anybody;
  words[H.Owner] = -1;
  words[H.Transactions] = transactions ? 1 : 0;
  words[record(0) + T.State] = STATE.Idle;
  execution.plan = { names, gated, callsAt };
}
