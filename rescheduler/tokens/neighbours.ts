/**
 * Orders next to one that failed, in which what a report blames cannot have happened: whether they pass tells whether it
 * is to blame. Those of event loops are found by rescheduler/investigate/{counterfactual,fix-check}.ts.
 */
import type { CutPoint } from '../../data/prediction.ts';
import { type Roles, rolesIn } from '../../data/threads/roles.ts';
import { scheduleOfOrder, type ThreadSchedule } from '../../data/threads/schedule.ts';
import { isAccess, Op, type ThreadTrace } from '../../data/threads/trace.ts';
import type { FixCheck } from '../investigate/fix-check.ts';
import type { ThreadReply } from './protocol.ts';

/** Runs a schedule, recorded. */
export type RunSchedule = (schedule: ThreadSchedule) => Promise<ThreadReply>;

/** What failed: three accesses, or two that came in the other order than naturally. Events. */
export type Told = Roles | { readonly first: number; readonly remote?: never; readonly second: number };

/** The failing order with one event, and what its thread does beside it, on the other side of another event. */
export interface Neighbour {
  readonly schedule: ThreadSchedule;
  readonly step: number;
  readonly now: 'before' | 'after';
  readonly anchor: number;
}

/** The nearest order that passes; null: none of those with one move does. */
export async function nearestPassing(
  trace: ThreadTrace,
  told: Told,
  run: RunSchedule,
  isOver: () => boolean = () => false,
): Promise<Neighbour | null> {
  const { first, remote, second } = told;
  const candidates =
    remote === undefined
      ? [later(trace, first, second, first), sooner(trace, first, second)]
      : [later(trace, first, second, remote), sooner(trace, first, remote)];
  for (const candidate of candidates) {
    if (isOver()) return null;
    const { ran } = await run(candidate.schedule);
    if (ran.outcome === 'pass' && ran.followed === 'followed') return candidate;
  }
  return null;
}

/** Spans of one order that are put together, at most. */
const MAX_SPANS = 8;

/**
 * Whether failing orders pass once nobody comes between the accesses that a report names: see {@link FixCheck}. A program
 * may come to its accesses again, and of two spans that cross, the one that is put together tears the other one: an order that
 * still fails is changed again as long as a span in it is torn. An order that could not be changed says nothing; null: none could.
 */
export async function checkFix(
  cutPoints: readonly CutPoint[],
  failing: readonly ThreadTrace[],
  run: RunSchedule,
  isOver: () => boolean = () => false,
): Promise<FixCheck | null> {
  const [head] = cutPoints;
  if (!head) return null;
  const own = cutPoints.filter(({ entity }) => entity === head.entity);
  let ok = 0;
  let of = 0;
  for (const trace of failing) {
    if (isOver()) break;
    const passed = await passesWhole(trace, own, run);
    if (passed === null) continue;
    of += 1;
    ok += Number(passed);
  }
  return of === 0 ? null : { ok, of, entity: head.entity };
}

async function passesWhole(
  failing: ThreadTrace,
  cutPoints: readonly CutPoint[],
  run: RunSchedule,
): Promise<boolean | null> {
  const crossed = cutPoints.flatMap((cutPoint) => crossedIn(failing, cutPoint) ?? []);
  let trace: ThreadTrace | null = failing;
  for (let spans = 0; spans < MAX_SPANS && trace; spans++) {
    const torn = tornIn(trace, [...cutPoints, ...crossed]);
    if (!torn) return spans === 0 ? null : false;
    const { ran, trace: taken } = await run(later(trace, torn.first, torn.second, torn.remote).schedule);
    if (ran.followed !== 'followed') return null;
    if (ran.outcome === 'pass') return true;
    trace = taken;
  }
  return null;
}

function tornIn(trace: ThreadTrace, cutPoints: readonly CutPoint[]): Roles | null {
  for (const cutPoint of cutPoints) {
    const roles = rolesIn(trace, cutPoint);
    if (roles) return roles;
  }
  return null;
}

/**
 * The span of the other side where the two cross: what its remote access belongs to has begun before the first access, and is
 * torn by the second one once that follows the first. null: there is none.
 */
function crossedIn(trace: ThreadTrace, cutPoint: CutPoint): CutPoint | null {
  const roles = rolesIn(trace, cutPoint);
  if (!roles) return null;
  const { object, op, point, thread } = trace.events;
  const { names } = trace;
  const { first, remote } = roles;
  const isOwn = (event: number): boolean =>
    thread[event] === thread[remote] && isAccess(op[event]!) && object[event] === object[remote];
  let start = first - 1;
  while (start >= 0 && !isOwn(start)) start -= 1;
  if (start < 0) return null;
  const isMirrored =
    names.points[point[start]!] === cutPoint.first.at && names.points[point[remote]!] === cutPoint.second.at;
  if (!isMirrored && !areTogether(trace, start, remote)) return null;
  const own = { ...cutPoint.remote, at: names.points[point[start]!]!, site: point[start]! };
  return {
    ...cutPoint,
    first: { ...own, access: op[start] === Op.Write ? 'write' : 'read', event: start },
    remote: cutPoint.second,
    second: cutPoint.remote,
  };
}

/** Whether a call, or a pass of a loop, is around both events of a thread. */
function areTogether({ events: { op, thread } }: ThreadTrace, from: number, to: number): boolean {
  let open = 0;
  let least = 0;
  for (let event = from; event < to; event++) {
    if (thread[event] !== thread[to]) continue;
    if (op[event] === Op.Begin) open += 1;
    else if (op[event] === Op.End) open -= 1;
    least = Math.min(least, open);
  }
  let around = 0;
  for (let event = 0; event < from; event++) {
    if (thread[event] !== thread[to]) continue;
    if (op[event] === Op.Begin) around += 1;
    else if (op[event] === Op.End) around -= 1;
  }
  return around + least > 0;
}

/**
 * What comes between the events `from` and `to` and is not of the thread of `to`, behind `to`: of two accesses the earlier
 * one itself as well.
 */
function later(trace: ThreadTrace, from: number, to: number, step: number): Neighbour {
  const { thread } = trace.events;
  const isMoved = (i: number): boolean => i >= from && i < to && thread[i] !== thread[to];
  const events = [...thread.keys()];
  const kept = events.filter((i) => !isMoved(i));
  const behind = kept.indexOf(to) + 1;
  const order = [...kept.slice(0, behind), ...events.filter(isMoved), ...kept.slice(behind)];
  return { schedule: scheduleOfOrder(trace, order, to), step, now: 'after', anchor: to };
}

/** What the thread of `step` does from the event `from` on until `step`, before `from`. */
function sooner(trace: ThreadTrace, from: number, step: number): Neighbour {
  const { thread } = trace.events;
  const isMoved = (i: number): boolean => i > from && i <= step && thread[i] === thread[step];
  const events = [...thread.keys()];
  const kept = events.filter((i) => !isMoved(i));
  const order = [...kept.slice(0, from), ...events.filter(isMoved), ...kept.slice(from)];
  return { schedule: scheduleOfOrder(trace, order, from), step, now: 'before', anchor: from };
}
