/** Confirmation of a failure of threads in fresh processes. */
import type { ThreadTrace } from '../../../data/threads/trace.ts';
import type { ThreadedTest, ThreadResult, ThreadSpec } from '../../../rescheduler/tokens/protocol.ts';
import type { Context } from '../context.ts';
import { takenBy } from './schedule.ts';

export interface Confirmation {
  readonly times: number;
  readonly reproduced: number;
  readonly control: number;
}

/** The schedule that was really taken, in fresh processes, each run paired with one of the observed order. */
export async function confirm(
  context: Context,
  subject: ThreadedTest,
  trace: ThreadTrace,
  ran: ThreadResult,
): Promise<Confirmation> {
  const times = context.options.confirm;
  const { threads } = trace.names;
  const again: ThreadSpec = { kind: 'directed', schedule: takenBy(threads, ran) };
  let reproduced = 0;
  let control = 0;
  for (let i = 0; i < times; i++) {
    const forcedRun = await subject.executeFresh(again, context.threadExecution);
    if (forcedRun.outcome === ran.outcome && forcedRun.failure?.fingerprint === ran.failure?.fingerprint)
      reproduced += 1;
    const natural = await subject.executeFresh({ kind: 'observed' }, context.threadExecution);
    if (natural.outcome === 'pass') control += 1;
  }
  return { times, reproduced, control };
}
