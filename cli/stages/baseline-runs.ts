/** Further observed runs of a test: one that fails makes it flaky. */
import type { RunResult } from '../../data/run.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import type { Context } from './context.ts';

/** Runs of a test beyond the recorded one. */
const RUNS = 2;
/** Runs of a whole command beyond the recorded one; a case that is to be forced is run once more alone. */
const TOGETHER = 1;

/** The first further run that did not pass, or null; `lost` when the test did not run again. */
export type FurtherRuns = (subject: Subject) => Promise<RunResult | 'lost' | null>;

/**
 * How to run these subjects again. Test cases of a command are run again all together, by the command
 * itself: a process per case would cost a hundred starts where this costs two runs.
 */
export async function furtherRuns(context: Context, subjects: readonly Subject[]): Promise<FurtherRuns> {
  const cases = subjects.filter(({ kind }) => kind === 'node-test');
  const together = new Map<string, RunResult | 'lost' | null>(cases.map(({ id }) => [id, null]));
  for (let run = 0; run < TOGETHER && cases.length > 0 && !context.over; run++) {
    context.tell('repeating', undefined, { done: run, of: TOGETHER });
    const again = new Map((await context.discover()).map((subject) => [subject.id, subject]));
    for (const { id } of cases) {
      const result = (await again.get(id)?.record(context.execution))?.result;
      if (together.get(id) === null && result?.outcome !== 'pass') together.set(id, result ?? 'lost');
    }
  }
  return async (subject) => {
    if (together.has(subject.id)) return together.get(subject.id) ?? null;
    for (let run = 0; run < RUNS && !context.over; run++) {
      const result = await subject.execute({ kind: 'observed' }, context.execution);
      if (result.outcome !== 'pass') return result;
    }
    return null;
  };
}
