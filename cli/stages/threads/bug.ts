/** A confirmed failure of threads becomes a bug: stored, with the schedule that replays it, and shown. */
import type { CutPoint, Origin } from '../../../data/prediction.ts';
import { MINIMAL, type TestRecord } from '../../../data/store/index.ts';
import { scheduleOfSteps } from '../../../data/threads/schedule.ts';
import type { ThreadTrace } from '../../../data/threads/trace.ts';
import { flipOf } from '../../../predictor/threads/flip.ts';
import { accessAt, explanationsOf } from '../../../predictor/threads/told.ts';
import { buildReport } from '../../../report/json.ts';
import type { BugView } from '../../../report/view.ts';
import type { Finding } from '../../../rescheduler/investigate/investigate.ts';
import type { ThreadedTest, ThreadReply, ThreadResult } from '../../../rescheduler/tokens/protocol.ts';
import type { Context } from '../context.ts';
import { cutPointView } from './evidence.ts';
import { rowsOf } from './rows.ts';

/** Id of the cut point that led to a schedule in its minimal form. */
export const predictedOf = (schedule: string): string => `c${schedule.replace(MINIMAL, '').slice(1)}`;

export async function keepBug(
  context: Context,
  test: TestRecord,
  subject: ThreadedTest,
  natural: ThreadTrace,
  finding: Finding,
): Promise<void> {
  const { confirmation, origin, result, schedule, steps } = finding;
  const { store } = context;
  const minimal = { ...schedule, id: schedule.id + MINIMAL, cutPoint: null, steps };
  const taken = scheduleOfSteps(natural.names.threads, steps);
  const { times, reproduced, control } = confirmation;
  const ratio = (ok: number) => ({ ok, of: times });
  const shown = await subject.execute({ kind: 'directed', schedule: taken }, context.threadExecution, true);
  const failure = result.failure!;
  const cutPoint = toldBy(finding, natural, shown.trace);
  const built = buildReport({
    tests: [],
    findings: [
      {
        ...{ flip: cutPoint || result.outcome === 'deadlock' ? null : flippedIn(shown, natural) },
        ...{ test: test.id, cutPoint, failure, conditional: null, waits: shown.ran.waits },
        ...{ reproduced: ratio(reproduced), control: ratio(control), witness: null, counterfactual: null },
        ...{ fix: null, requiredStallMs: 0, requiredPauseMs: 0 },
        ...{ switches: taken.grants.length / 2 - 1, schedulesUntilFound: finding.schedulesUntilFound },
      },
    ],
    timing: { monitorMs: 0, predictMs: 0, rescheduleMs: 0 },
  }).bugs[0]!;
  store.atomically(() => {
    store.putSchedules(test.id, [minimal], origin);
    store.putBug({ fingerprint: failure.fingerprint, schedule: minimal.id, report: built });
  });
  context.views.set(built.id, viewOf(test, built, result, cutPoint, origin, shown));
}

/** What tells a failure: the triple that was forced; where that is none of the five patterns, what the run shows. */
function toldBy(
  { cutPoint, result }: Finding,
  natural: ThreadTrace,
  failing: ThreadTrace | null,
): CutPoint | null {
  const isTold = cutPoint !== null && cutPoint.pattern !== 'RRW';
  if (isTold || result.outcome === 'deadlock' || !failing) return cutPoint;
  return explanationsOf(failing, natural)[0] ?? cutPoint;
}

/** The two accesses that an order bug turned round; null: none are known. */
function flippedIn({ sites, trace }: ThreadReply, natural: ThreadTrace) {
  if (!trace) return null;
  const atomic = new Set(trace.names.points.filter((_, point) => sites[point]?.text.startsWith('Atomics.')));
  const flip = flipOf(trace, natural, (point) => atomic.has(point));
  return (
    flip && {
      entity: trace.names.entities[flip.entity]!,
      first: accessAt(trace, flip.first),
      second: accessAt(trace, flip.second),
    }
  );
}

/** What the report shows of it. `shown`: the failing schedule, recorded. */
export function viewOf(
  test: TestRecord,
  bug: BugView['bug'],
  { failure }: Pick<ThreadResult, 'failure'>,
  cutPoint: CutPoint | null,
  origin: Origin,
  shown: ThreadReply,
): BugView {
  return {
    bug,
    testTitle: `${test.file} › ${test.name}`,
    cutPoint: cutPoint && cutPointView(cutPoint, shown),
    natural: [],
    failing: shown.trace ? rowsOf(shown.trace, cutPoint) : [],
    late: [],
    error: failure ?? { name: 'Error', message: bug.error, stack: '' },
    foundBy: origin === 'enumerated' ? 'preemption' : origin,
    threads: true,
  };
}
