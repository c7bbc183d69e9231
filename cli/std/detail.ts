/** What `unweave inspect --std` shows of a triple: names, lines and sentences out of an explanation. */
import { stdLine } from '../../data/threads/std-writer.ts';
import type { ThreadTrace } from '../../data/threads/trace.ts';
import { type Explanation, explain, type Obstacle } from '../../predictor/threads/explain.ts';
import type { HeldLock, LockState } from '../../predictor/threads/lock-states.ts';
import type { Occurrence } from '../../predictor/threads/occurrences.ts';
import type { Reach } from '../../predictor/threads/reach.ts';
import { conflictCycle } from '../../predictor/threads/serializability.ts';
import type { Skeleton } from '../../predictor/threads/skeleton.ts';
import { MARKS } from '../../report/ink.ts';
import type { StdAccess } from '../../report/std.ts';
import type { StdDetail, StdHeld, StdStretch } from '../../report/std-detail.ts';

/** Lines shown before and after each access. */
const AROUND = 2;

export function detailOf(skeleton: Skeleton, reach: Reach, triple: Occurrence): StdDetail {
  const { trace } = skeleton;
  const { events, names } = trace;
  const explanation = explain(skeleton, reach, triple);
  const { verdict } = explanation;
  const access = (event: number): StdAccess => accessOf(trace, event);
  const held = (state: LockState): StdHeld[] => state.map((lock) => heldOf(trace, lock));
  return {
    pattern: triple.pattern,
    entity: names.entities[triple.entity]!,
    first: access(triple.first),
    remote: access(triple.remote),
    second: access(triple.second),
    locks: { first: held(explanation.first), remote: held(explanation.remote) },
    verdict: verdict.kind,
    why: reasonsOf(trace, triple, explanation),
    schedule:
      verdict.kind === 'reachable'
        ? {
            completes: verdict.completes,
            switches: { before: verdict.reduced.before, after: verdict.reduced.after },
            asObserved: observedPrefix(verdict.schedule),
            stretches: stretchesOf(trace, verdict.schedule.subarray(observedPrefix(verdict.schedule))),
            reduced: stretchesOf(trace, verdict.reduced.schedule),
          }
        : null,
    window: windowOf([triple.first, triple.remote, triple.second], events.length).map(({ event, mark }) => ({
      line: event + 1,
      text: stdLine(events, names, event).trimEnd(),
      mark,
    })),
  };
}

export function accessOf({ events, names }: ThreadTrace, event: number): StdAccess {
  return {
    line: event + 1,
    thread: names.threads[events.thread[event]!]!,
    location: names.points[events.point[event]!]!,
  };
}

function heldOf({ names }: ThreadTrace, { lock, shared, history }: HeldLock): StdHeld {
  const name = (id: number): string => names.locks[id]!;
  return { lock: name(lock), shared, history: [...new Set(history.map((h) => name(h.lock)))] };
}

function reasonsOf(trace: ThreadTrace, triple: Occurrence, { remote, verdict }: Explanation): string[] {
  const { names } = trace;
  const set = (state: LockState): string => `{${state.map(({ lock }) => names.locks[lock]).join(' ')}}`;
  const local = accessOf(trace, triple.first).thread;
  const other = accessOf(trace, triple.remote).thread;
  if (verdict.kind === 'undecided') return ['the search budget ended before it was decided'];
  if (verdict.kind === 'unreachable') return obstacleText(trace, verdict.obstacle, local, other);
  const why = [
    `between its accesses ${local} can hold ${set(verdict.cut)} while ${other} holds ${set(remote)}: nothing excludes, no histories cross`,
  ];
  if (!verdict.completes) return [...why, 'the second access cannot follow: the threads wait for each other'];
  const cycle = conflictCycle(trace.events, verdict.schedule) ?? [];
  const steps = cycle.map(
    (events) => `${accessOf(trace, events[0]!).thread} ${events.map((e) => e + 1).join(' ')}`,
  );
  return [...why, `no serial order: ${[...steps, steps[0]].join(' → ')}`];
}

function obstacleText(trace: ThreadTrace, obstacle: Obstacle, local: string, other: string): string[] {
  const { events, names } = trace;
  switch (obstacle.kind) {
    case 'order': {
      const line = `line ${obstacle.event + 1}, ${stdLine(events, names, obstacle.event).split('|')[1]}`;
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
      return ['no single lock or edge: locks and edges of all threads together leave no order'];
  }
}

/** How many events run as in the trace from its beginning. */
function observedPrefix(schedule: Int32Array): number {
  const at = schedule.findIndex((event, place) => event !== place);
  return at < 0 ? schedule.length : at;
}

function stretchesOf(trace: ThreadTrace, schedule: Int32Array): StdStretch[] {
  const stretches: { thread: string; from: number; to: number; events: number }[] = [];
  for (const event of schedule) {
    const { thread, line } = accessOf(trace, event);
    const last = stretches.at(-1);
    if (last?.thread === thread) {
      last.to = line;
      last.events += 1;
    } else stretches.push({ thread, from: line, to: line, events: 1 });
  }
  return stretches;
}

function windowOf(accesses: readonly number[], length: number): { event: number; mark: string }[] {
  const marks = new Map<number, string>();
  for (const access of accesses)
    for (let event = access - AROUND; event <= access + AROUND; event++)
      if (event >= 0 && event < length && !marks.has(event)) marks.set(event, '');
  for (const [at, access] of accesses.entries()) marks.set(access, Object.values(MARKS)[at]!);
  return [...marks].map(([event, mark]) => ({ event, mark })).sort((a, b) => a.event - b.event);
}
