/** Whether a test that fails under the tool passes without it: then it is not the test that is to blame. */

import type { RunResult } from '../../data/run.ts';
import { notControlled } from '../../data/ungated.ts';
import type { TestNotes } from '../../report/view.ts';
import { type Subject, SubjectError } from '../../rescheduler/subjects/protocol.ts';
import type { PlainNode, StageContext } from './context.ts';

/** Each takes a process: of more red tests no more is asked. */
const MOST = 20;
/** Of these so many with all tests of their files. */
const MOST_AMONG_OTHERS = 5;
const asked = new WeakMap<StageContext, number>();

/** Runs a red test, or a file that fails outside of its tests (null), once on plain Node. Absent: there is no such run of it. */
export async function plainly(
  context: StageContext,
  subject: Subject,
  result: RunResult | null,
): Promise<Pick<TestNotes, 'plain'>> {
  const count = asked.get(context.whole) ?? 0;
  if (subject.kind === 'harness') return {};
  if (count >= MOST) return { plain: null };
  asked.set(context.whole, count + 1);
  const run = async () => {
    try {
      const { outcome } = await subject.executePlain(null, context.execution);
      // Alone it is without what the tests before it have set up, or left.
      if (outcome === 'pass' || !subject.executeAmongOthers || count >= MOST_AMONG_OTHERS) return outcome;
      return (await subject.executeAmongOthers(context.execution)).outcome;
    } catch (error) {
      if (error instanceof SubjectError) return null;
      throw error;
    }
  };
  const outcome = await context.inTime(run, null);
  if (outcome === null || outcome === 'unknown') return { plain: null };
  return {
    plain: { outcome: outcome === 'pass' ? 'pass' : 'fail', cause: result ? causeOf(result) : OUTSIDE },
  };
}

/** So many of them take the time that a person waits, and no longer than this, ms. */
const PATIENCE_MS = 20_000;

export async function plainRuns(context: StageContext, subject: Subject, times: number): Promise<PlainNode> {
  const results: RunResult[] = [];
  const end = performance.now() + PATIENCE_MS;
  for (let run = 0; run < times && !context.over && performance.now() < end; run++) {
    context.tell(`plain Node ${run + 1} of ${times}`, subject.name);
    const result = await subject.executePlain(null, context.execution);
    if (result.outcome !== 'unknown') results.push(result);
  }
  const failures = results.filter(({ outcome }) => outcome !== 'pass');
  return { ok: results.length - failures.length, of: results.length, failures };
}

const OUTSIDE = 'what it does outside of its tests takes another course where each answer is held';

/** What took part that the gate does not have, which is the likely cause. */
function causeOf({ ungated, doubts = [], failure }: RunResult): string {
  const strange = [...new Set([...doubts, ...Object.keys(notControlled(ungated))])];
  if (strange.length > 0) return `it uses ${strange.slice(0, 3).join(', ')}, which is not controlled`;
  if (failure?.kind === 'timeout') return 'it does not come to its end where each answer is held';
  return 'nothing took part that is known not to be controlled: this is worth a bug report';
}
