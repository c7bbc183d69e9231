/** A confirmed failure of threads becomes a bug: stored, with the schedule that replays it, and shown. */
import type { CutPoint, Schedule } from '../../../data/prediction.ts';
import type { Origin, TestRecord } from '../../../data/store/index.ts';
import type { ThreadTrace } from '../../../data/threads/trace.ts';
import { flipOf } from '../../../predictor/threads/flip.ts';
import { buildReport } from '../../../report/json.ts';
import type { BugView } from '../../../report/view.ts';
import type { ThreadedTest, ThreadReply, ThreadResult } from '../../../rescheduler/tokens/protocol.ts';
import type { Context } from '../context.ts';
import type { Confirmation } from './confirm.ts';
import { cutPointView } from './evidence.ts';
import { rowsOf } from './rows.ts';
import { accessAt, explanationsOf, stepsOf, takenBy } from './schedule.ts';

interface Failed {
  readonly test: TestRecord;
  readonly subject: ThreadedTest;
  readonly natural: ThreadTrace;
  readonly cutPoint: CutPoint | null;
  readonly schedule: Schedule;
  readonly origin: Origin;
  readonly ran: ThreadResult;
  readonly confirmation: Confirmation;
  readonly tried: number;
}

/** Ends the id of the schedule that was really taken. */
const TAKEN = '-taken';

/** Id of the cut point that led to a schedule that was taken. */
export const predictedOf = (schedule: string): string => `c${schedule.replace(TAKEN, '').slice(1)}`;

export async function keepBug(context: Context, failed: Failed): Promise<void> {
  const { test, subject, natural, schedule, origin, ran, confirmation, tried } = failed;
  const { store } = context;
  const { threads } = natural.names;
  const taken: Schedule = {
    ...schedule,
    id: schedule.id + TAKEN,
    cutPoint: null,
    steps: stepsOf(threads, ran.taken, ran.deliveries),
    switches: ran.switches,
  };
  const { times, reproduced, control } = confirmation;
  const ratio = (ok: number) => ({ ok, of: times });
  const shown = await subject.execute(
    { kind: 'directed', schedule: takenBy(threads, ran) },
    context.threadExecution,
    true,
  );
  const cutPoint = toldBy(failed, shown.trace);
  const built = buildReport({
    tests: [],
    findings: [
      {
        ...{ flip: cutPoint || ran.outcome === 'deadlock' ? null : flippedIn(shown, natural) },
        ...{ test: test.id, cutPoint, failure: ran.failure!, conditional: null, waits: shown.ran.waits },
        ...{ reproduced: ratio(reproduced), control: ratio(control), witness: null, counterfactual: null },
        ...{ fix: null, requiredStallMs: 0, requiredPauseMs: 0 },
        ...{ switches: ran.taken.length / 2 - 1, schedulesUntilFound: tried },
      },
    ],
    timing: { monitorMs: 0, predictMs: 0, rescheduleMs: 0 },
  }).bugs[0]!;
  store.atomically(() => {
    store.putSchedules(test.id, [taken], origin);
    store.putBug({ fingerprint: ran.failure!.fingerprint, schedule: taken.id, report: built });
  });
  context.views.set(built.id, viewOf(test, built, ran, cutPoint, origin, shown));
}

/** What tells a failure: the triple that was forced; where that is none of the five patterns, what the run shows. */
function toldBy({ cutPoint, natural, ran }: Failed, failing: ThreadTrace | null): CutPoint | null {
  const isTold = cutPoint !== null && cutPoint.pattern !== 'RRW';
  if (isTold || ran.outcome === 'deadlock' || !failing) return cutPoint;
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
