/** What `unweave inspect --std` shows of a triple: names, lines and sentences out of an explanation. */
import { stdLine } from '../../data/threads/std-writer.ts';
import type { ThreadTrace } from '../../data/threads/trace.ts';
import { type Explanation, explain, type Obstacle } from '../../predictor/threads/explain.ts';
import type { LockHold, LocksHeld } from '../../predictor/threads/lock-states.ts';
import type { Occurrence } from '../../predictor/threads/occurrences.ts';
import type { Reach } from '../../predictor/threads/reach.ts';
import { conflictCycle } from '../../predictor/threads/serializability.ts';
import type { Skeleton } from '../../predictor/threads/skeleton.ts';
import { MARKS } from '../../report/ink.ts';
import type { StdAccess } from '../../report/std.ts';
import type { StdDetail, StdHeld, StdStretch } from '../../report/std-detail.ts';

/** Lines shown before and after each access. */
const AROUND = 2;

/** A trace, or a window of a long one (predictor/threads/long/frontier.ts), in which a triple is looked at. */
export interface TraceFrame {
  readonly trace: ThreadTrace;
  readonly skeleton: Skeleton;
  readonly reach: Reach;
  /** Event `i` of the whole trace is event `i - shift` here. */
  readonly shift: number;
  /** Events of the whole trace before it, which run as observed. */
  readonly observed: number;
}

/** `whole`: event indices of the whole trace. */
export function detailOf(frame: TraceFrame, whole: Occurrence): StdDetail {
  const { reach, shift, skeleton, trace } = frame;
  const { events, names } = trace;
  const triple = {
    ...whole,
    first: whole.first - shift,
    remote: whole.remote - shift,
    second: whole.second - shift,
  };
  const explanation = explain(skeleton, reach, triple);
  const { verdict } = explanation;
  const access = (event: number): StdAccess => accessOf(frame, event);
  const held = (state: LocksHeld): StdHeld[] => state.map((lock) => heldOf(trace, lock));
  return {
    pattern: triple.pattern,
    entity: names.entities[triple.entity]!,
    first: access(triple.first),
    remote: access(triple.remote),
    second: access(triple.second),
    locks: { first: held(explanation.first), remote: held(explanation.remote) },
    verdict: isProof(frame, verdict) ? verdict.kind : 'undecided',
    why: reasonsOf(frame, triple, explanation),
    schedule: verdict.kind === 'reachable' ? scheduleOf(frame, verdict) : null,
    window: around(frame, [triple.first, triple.remote, triple.second]).map(({ event, mark }) => ({
      line: event + shift + 1,
      text: stdLine(events, names, event).trimEnd(),
      mark,
    })),
  };
}

type WindowVerdict = Explanation['verdict'];

/** What a window does not allow, the whole trace may: unless one lock or edge forbids it. */
const isProof = ({ observed }: TraceFrame, verdict: WindowVerdict): boolean =>
  verdict.kind !== 'unreachable' || verdict.obstacle.kind !== 'together' || observed === 0;

function scheduleOf(
  frame: TraceFrame,
  verdict: WindowVerdict & { kind: 'reachable' },
): StdDetail['schedule'] {
  const { observed, shift } = frame;
  // What opens a window is no line of the trace.
  const lines = (order: Int32Array): Int32Array => order.filter((event) => event + shift >= observed);
  const schedule = lines(verdict.schedule);
  const asObserved = observedPrefix(schedule, observed - shift);
  const reduced = lines(verdict.reduced.schedule);
  return {
    completes: verdict.completes,
    switches: { before: switchesIn(frame, schedule), after: switchesIn(frame, reduced) },
    observed,
    asObserved: observed + asObserved,
    stretches: stretchesOf(frame, schedule.subarray(asObserved)),
    reduced: stretchesOf(frame, reduced),
  };
}

const switchesIn = (frame: TraceFrame, order: Int32Array): number =>
  Math.max(0, stretchesOf(frame, order).length - 1);

function accessOf({ shift, trace: { events, names } }: TraceFrame, event: number): StdAccess {
  return {
    line: event + shift + 1,
    thread: names.threads[events.thread[event]!]!,
    location: names.points[events.point[event]!]!,
  };
}

function heldOf({ names }: ThreadTrace, { lock, shared, history }: LockHold): StdHeld {
  const name = (id: number): string => names.locks[id]!;
  return { lock: name(lock), shared, history: [...new Set(history.map((h) => name(h.lock)))] };
}

function reasonsOf(frame: TraceFrame, triple: Occurrence, { remote, verdict }: Explanation): string[] {
  const { names, events } = frame.trace;
  const set = (state: LocksHeld): string => `{${state.map(({ lock }) => names.locks[lock]).join(' ')}}`;
  const local = accessOf(frame, triple.first).thread;
  const other = accessOf(frame, triple.remote).thread;
  if (verdict.kind === 'undecided') return ['the search budget ended before it was decided'];
  if (verdict.kind === 'unreachable') return obstacleText(frame, verdict.obstacle, local, other);
  const why = [
    `between its accesses ${local} can hold ${set(verdict.cut)} while ${other} holds ${set(remote)}: nothing excludes, no histories cross`,
  ];
  if (!verdict.completes) return [...why, 'the second access cannot follow: the threads wait for each other'];
  const cycle = conflictCycle(events, verdict.schedule) ?? [];
  const steps = cycle.map(
    (members) =>
      `${accessOf(frame, members[0]!).thread} ${members.map((event) => accessOf(frame, event).line).join(' ')}`,
  );
  return [...why, `no serial order: ${[...steps, steps[0]].join(' → ')}`];
}

function obstacleText(frame: TraceFrame, obstacle: Obstacle, local: string, other: string): string[] {
  const { events, names } = frame.trace;
  switch (obstacle.kind) {
    case 'order': {
      const line = `line ${accessOf(frame, obstacle.event).line}, ${stdLine(events, names, obstacle.event).split('|')[1]}`;
      return obstacle.remote === 'after-second'
        ? [`in every order the remote access comes after the second one: ${line}`]
        : [`in every order the remote access comes before the first one: ${line}`];
    }
    case 'locks':
      return obstacle.conflicts.map((locks) =>
        locks.length === 1
          ? `${local} and ${other} both hold ${names.locks[locks[0]!]}`
          : `${local} and ${other} take ${locks.map((lock) => names.locks[lock]).join(' and ')} crosswise`,
      );
    case 'together':
      return frame.observed === 0
        ? ['no single lock or edge: locks and edges of all threads together leave no order']
        : [`no order that runs as observed to line ${frame.observed}; others were not looked at`];
  }
}

/** How many events run as in the trace from `from` on. */
function observedPrefix(schedule: Int32Array, from: number): number {
  const at = schedule.findIndex((event, place) => event !== from + place);
  return at < 0 ? schedule.length : at;
}

function stretchesOf(frame: TraceFrame, schedule: Int32Array): StdStretch[] {
  const stretches: { thread: string; from: number; to: number; events: number }[] = [];
  for (const event of schedule) {
    const { thread, line } = accessOf(frame, event);
    const last = stretches.at(-1);
    if (last?.thread === thread) {
      last.to = line;
      last.events += 1;
    } else stretches.push({ thread, from: line, to: line, events: 1 });
  }
  return stretches;
}

function around(
  { observed, shift, trace }: TraceFrame,
  accesses: readonly number[],
): { event: number; mark: string }[] {
  const marks = new Map<number, string>();
  for (const access of accesses)
    for (let event = access - AROUND; event <= access + AROUND; event++)
      if (event + shift >= observed && event < trace.events.length && !marks.has(event)) marks.set(event, '');
  for (const [at, access] of accesses.entries()) marks.set(access, Object.values(MARKS)[at]!);
  return [...marks].map(([event, mark]) => ({ event, mark })).sort((a, b) => a.event - b.event);
}
