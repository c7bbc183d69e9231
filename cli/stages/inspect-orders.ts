/** Predicted orders that no cut point stands for, with what they are about and why they were predicted. */
import { EVERYTHING_ELSE, isDelivery, requestOf } from '../../data/schedule-step.ts';
import { MINIMAL, type Store, type StoredSchedule, type TestRecord } from '../../data/store/index.ts';
import type { Trace } from '../../data/trace.ts';
import type { Candidate } from '../../predictor/candidates.ts';
import { accessPoint } from '../../predictor/cut-point.ts';
import type { Prediction } from '../../predictor/predict.ts';
import type { InspectOrder, OrderedStep } from '../../report/inspect-orders.ts';
import { findMoves } from '../../report/moves.ts';
import { parsePlace, stepPhrase, verb } from '../../report/phrase.ts';
import { placeOfStep, rowsOfSteps, taskOfStep, whatOfStep } from '../../report/rows.ts';
import type { StepRow } from '../../report/view.ts';
import { FURTHER, RECORDED } from '../../rescheduler/investigate/further.ts';
import { LATE } from '../../rescheduler/investigate/late.ts';

type About = Pick<InspectOrder, 'kind' | 'entity' | 'first' | 'second' | 'why'>;

export function inspectOrders(
  store: Store,
  test: TestRecord,
  trace: Trace,
  /** What orders were made for: the store keeps orders alone, and prediction is a pure function of the trace. */
  reorderedIn: (trace: Trace) => Prediction['reordered'],
): InspectOrder[] {
  const bare = store
    .schedules(test.id)
    .filter(
      ({ schedule, origin }) =>
        origin === 'directed' &&
        schedule.cutPoint === null &&
        !schedule.id.endsWith(MINIMAL) &&
        !schedule.id.startsWith(RECORDED),
    );
  if (bare.length === 0) return [];
  const bugs = store.bugs(test.id);
  const reordered = reorderedIn(trace);
  const natural = rowsOfSteps(trace, trace.steps);
  return bare.flatMap((stored): InspectOrder[] => {
    const { id, steps, stallMs } = stored.schedule;
    const rows = rowsOfSteps(trace, steps);
    const candidate = reordered.get(id.endsWith(LATE) ? id.slice(0, -LATE.length) : id);
    const about = candidate ? ofCandidate(trace, candidate) : aboutOrder(trace, stored, natural, rows);
    const bug = bugs.find(({ schedule }) => schedule === id || schedule === id + MINIMAL)?.report.id ?? null;
    const testTitle = `${test.file} › ${test.name}`;
    return about ? [{ id, testTitle, ...about, stallMs, verdict: stored.verdict, steps: rows, bug }] : [];
  });
}

/** The remote access comes before the one that naturally precedes it, or between those to two variables. */
function ofCandidate(trace: Trace, { entity, first, isPair, other, remote, second }: Candidate): About {
  const nameOf = (of: number): string | null => trace.entities[of]?.name ?? null;
  const name = nameOf(entity);
  const stepOf = (event: number, of = entity): OrderedStep => {
    const { at, task, access } = accessPoint(trace, event);
    return { task, what: `${verb(access)} ${nameOf(of) ?? ''}`.trim(), at: parsePlace(at) };
  };
  const [looks, acts] = [stepOf(remote), stepOf(second, other?.entity)];
  if (isPair) {
    const why = `${looks.task} ${looks.what} naturally behind that, and nothing keeps them in this order`;
    return { kind: 'reordered pair', entity: name, first: looks, second: acts, why };
  }
  const checked = stepOf(first);
  if (other) {
    const two = nameOf(other.entity);
    const why = `${acts.task} ${checked.what} and, in a later turn, ${acts.what}; ${looks.task} touches both between, where ${name} and ${two} may not agree`;
    return { kind: 'two variables', entity: name, first: looks, second: acts, why };
  }
  return {
    kind: 'reordered pair',
    entity: name,
    first: looks,
    second: acts,
    why: `${looks.task} looks while ${acts.task} is between looking and changing; where it then acts on what it saw is not in the recorded run (${checked.at ? `looked at ${checked.at.file}:${checked.at.line}` : 'looked before'})`,
  };
}

const stepOfRow = (row: StepRow): OrderedStep => ({ task: row.task, what: stepPhrase(row), at: row.site });

/** By its stable name; of what nobody in the user's sources asked for as well. */
const stepOf = (trace: Trace, step: string): OrderedStep => {
  const site = placeOfStep([trace], step);
  const kind = isDelivery(step) ? 'deliver' : 'effect';
  const what = whatOfStep([trace], step) ?? step;
  return { task: taskOfStep([trace], step), what: stepPhrase({ kind, what, site }), at: site };
};

/** A time-out that is made to go off, or locks that are taken so that nobody gets on; null: of another origin. */
function aboutOrder(
  trace: Trace,
  { schedule }: StoredSchedule,
  natural: readonly StepRow[],
  rows: readonly StepRow[],
): About | null {
  const all = schedule.steps.indexOf(EVERYTHING_ELSE);
  if (all > 0) {
    const [timer, late] = [schedule.steps[all - 1]!, schedule.steps[all + 1]!];
    const request = trace.requests.find(({ name }) => name === requestOf(timer));
    if (!request) return null;
    const how = request.takenBack >= 0 ? 'was set and cleared' : 'went off when nobody waited for it';
    return {
      kind: 'time-out',
      entity: null,
      first: stepOf(trace, timer),
      second: stepOf(trace, late),
      why: `this timer ${how}; what it would do is not in the recorded run, so it is made to go off before this answer`,
    };
  }
  const [move] = findMoves(natural, rows);
  const [first, second] = !move
    ? [null, null]
    : move.now === 'before'
      ? [move.step, move.anchor]
      : [move.anchor, move.step];
  const pair = { entity: null, first: first && stepOfRow(first), second: second && stepOfRow(second) };
  if (schedule.id.startsWith(FURTHER))
    return {
      ...pair,
      kind: 'further order',
      why: 'a forced order came to requests that the recorded run does not have; of that run it was predicted',
    };
  return {
    ...pair,
    kind: 'lock cycle',
    why: 'tasks hold locks while they wait for others: in this order none of them would get on',
  };
}
