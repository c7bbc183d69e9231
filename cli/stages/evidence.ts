/** What a report shows of a bug beyond its record: both orders in readable rows. */
import type { AccessPoint, CutPoint, Origin, Schedule } from '../../data/prediction.ts';
import type { ReportBug } from '../../data/report.ts';
import type { Assumptions, RunResult } from '../../data/run.ts';
import type { TestRecord } from '../../data/store/index.ts';
import type { Trace } from '../../data/trace.ts';
import { explanations } from '../../predictor/explain.ts';
import type { Flip } from '../../predictor/flip.ts';
import { pairViolations } from '../../predictor/two-variables.ts';
import type { Calls } from '../../report/json.ts';
import { place } from '../../report/phrase.ts';
import { callsIn, lateAnswers, ordersOf, timelineOf } from '../../report/rows.ts';
import type { AccessView, BugView, CutPointView, Role } from '../../report/view.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import type { StageContext } from './context.ts';

/** Runs a failing order once more with everything recorded; null when that does not work out. */
export async function recordFailing(
  context: StageContext,
  subject: Subject,
  schedule: Schedule,
  cutPoint: CutPoint | null,
  assumed: Assumptions,
): Promise<Trace | null> {
  try {
    const { trace, result } = await context.record(
      subject,
      { kind: 'directed', schedule, cutPoint },
      assumed,
    );
    return result.outcome === 'pass' ? null : trace;
  } catch {
    return null;
  }
}

/** The triple that a stored bug names, with what its trace knows of it; null for a bug without one. */
export function explanationOf(
  bug: ReportBug,
  predicted: readonly CutPoint[],
  natural: Trace,
  failing: Trace | null,
): CutPoint | null {
  const isTold = (cutPoint: CutPoint): boolean => tells(cutPoint, bug);
  // What no prediction led to was read off the failing run, which shows it again.
  if (!failing) return predicted.find(isTold) ?? null;
  const read = bug.other ? pairViolations : explanations;
  return predicted.find(isTold) ?? read(failing, natural).find(isTold) ?? null;
}

/** Whether a stored bug was explained by these accesses. */
export function tells({ pattern, entity, first, remote, second, other }: CutPoint, bug: ReportBug): boolean {
  const is = (point: AccessPoint, stored: ReportBug['first']): boolean =>
    stored != null && point.at === place(stored) && point.task === stored.task;
  return (
    pattern === bug.pattern &&
    entity === bug.entity &&
    other?.entity === bug.other?.entity &&
    is(first, bug.first) &&
    is(remote, bug.remote) &&
    is(second, bug.second)
  );
}

export function bugView(
  test: Pick<TestRecord, 'file' | 'name'>,
  bug: ReportBug,
  cutPoint: CutPoint | null,
  natural: Trace,
  failing: Trace | null,
  result: Pick<RunResult, 'late' | 'failure'>,
  origin: Origin,
): BugView {
  return {
    bug,
    testTitle: `${test.file} › ${test.name}`,
    cutPoint: cutPoint ? called(cutPointView(cutPoint, failing ?? natural, natural), bug) : toldView(bug),
    ...ordersOf(natural, failing, cutPoint),
    ...(failing ? { timeline: timelineOf(failing, cutPoint) } : {}),
    late: lateAnswers(failing ? [failing, natural] : [natural], result.late),
    error: result.failure ?? { name: 'Error', message: bug.error, stack: '' },
    foundBy: origin,
  };
}

/** The accesses that a bug was told by, where no trace at hand has them; null: none were told. */
function toldView({ id, pattern, entity, first, remote, second, other }: ReportBug): CutPointView | null {
  if (!pattern || entity === null || !first || !remote || !second) return null;
  const access = (told: NonNullable<ReportBug['first']>): AccessView => ({ ...told, fn: '', text: '' });
  return {
    ...{ id, pattern, entity, first: access(first), remote: access(remote), second: access(second) },
    ...(other ? { other: { entity: other.entity, remote: access(other.remote) } } : {}),
  };
}

/** Where the accesses that explain a bug were called from: `failing` is its order, recorded. */
export function callsOf(failing: Trace | null, cutPoint: CutPoint | null, flip: Flip | null): Calls {
  if (failing && cutPoint) return callsIn(failing, cutPoint);
  const callers = flip && failing?.callers;
  return callers ? { first: callers.get(flip.first.event), second: callers.get(flip.second.event) } : {};
}

/** Accesses as views, with the calls that the bug names. */
export function called(view: CutPointView, bug: ReportBug): CutPointView {
  const access = (role: Role): AccessView => ({ ...view[role], calledFrom: bug[role]?.calledFrom ?? [] });
  return { ...view, first: access('first'), remote: access('remote'), second: access('second') };
}

/** Program points are looked up by place, since two runs number them differently. */
export function cutPointView(cutPoint: CutPoint, ...traces: readonly Trace[]): CutPointView {
  const access = (point: AccessPoint): AccessView => {
    const [file = '', line = '1', column = '1'] = splitPlace(point.at);
    const site = traces
      .flatMap((t) => t.sites)
      .find((s) => s.file === file && s.line === Number(line) && s.column === Number(column));
    return {
      file,
      line: Number(line),
      column: Number(column),
      access: point.access,
      task: point.task,
      fn: site?.fn ?? '',
      text: site?.text ?? '',
    };
  };
  const { id, pattern, entity, first, remote, second, other } = cutPoint;
  return {
    ...{ id, pattern, entity, first: access(first), remote: access(remote), second: access(second) },
    ...(other ? { other: { entity: other.entity, remote: access(other.remote) } } : {}),
  };
}

function splitPlace(at: string): string[] {
  const match = /^(.*):(\d+):(\d+)$/.exec(at);
  return match ? match.slice(1) : [at];
}
