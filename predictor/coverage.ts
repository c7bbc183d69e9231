/** Could prediction see anything? Silence is never a clean bill, so a blind run says that it was blind. */

import type { Coverage } from '../data/report.ts';
import type { Trace } from '../data/trace.ts';
import { EventKind } from '../data/trace.ts';
import { notControlled } from '../data/ungated.ts';
import { type Causality, causality } from './causality.ts';
import { buildProgram, type Program } from './program.ts';
import { transactions } from './transactions.ts';

/** Pairs are looked at among so many operations, and among so many requests. */
const MOST_TASKS = 200;
const MOST_REQUESTS = 2000;

export interface CoverageReport {
  readonly coverage: Coverage;
  /** Operations below the root: tasks of a harness, calls made by a test body. */
  readonly tasks: number;
  /** One line for people where the coverage is not `analysed`. */
  readonly reason: string | null;
}

/**
 * `no-concurrency`: no order can have two operations or two requests under way at the same time. `blind`: some were (or host work
 * that nothing holds was), but neither an access nor a gated request of theirs was recorded.
 */
export function coverageOf(trace: Trace): CoverageReport {
  const { events } = trace;
  const tx = transactions(trace.activations);
  const spans = new Map<number, { from: number; to: number }>();
  let seen = 0;
  for (let i = 0; i < events.length; i++) {
    const kind = events.kind[i];
    const activation = events.activation[i] as number;
    if (kind !== EventKind.Read && kind !== EventKind.Write && kind !== EventKind.Issue) continue;
    seen += 1;
    if (trace.activations[activation]?.kind === 'root') continue;
    const task = tx.taskOf(activation);
    const span = spans.get(task);
    if (span) span.to = i;
    else spans.set(task, { from: i, to: i });
  }
  const ungated = Object.keys(notControlled(trace.ungated));
  const tasks = spans.size;
  if (seen === 0 && (tasks > 1 || ungated.length > 0)) {
    const what = ungated.length > 0 ? ` (only ${ungated.slice(0, 3).join(', ')}, which is not gated)` : '';
    return {
      coverage: 'blind',
      tasks,
      reason: `neither an access nor a gated request of its tasks was recorded${what}`,
    };
  }
  const program = buildProgram(trace);
  const order = causality(program);
  if (!concurrent([...spans.values()], order.before) && !reorderable(program, order) && !overtakes(program))
    return {
      coverage: 'no-concurrency',
      tasks,
      reason: 'no two operations can be under way at the same time',
    };
  return { coverage: 'analysed', tasks, reason: null };
}

/** Two operations are concurrent when some order could have both under way: no cause makes one wait. */
function concurrent(
  spans: { from: number; to: number }[],
  before: (a: number, b: number) => boolean,
): boolean {
  const sorted = spans.sort((a, b) => a.from - b.from).slice(0, MOST_TASKS);
  return sorted.some((a, i) => sorted.slice(i + 1).some((b) => !before(a.to, b.from)));
}

/** Whether a request is asked for before a synchronous call of the same turn, which its effect may precede. */
function overtakes({ trace, jobs, requests, nodeOf }: Program): boolean {
  const { kind, object, length } = trace.events;
  let isAsked = false;
  for (let i = 0; i < length; i++) {
    if (kind[i] === EventKind.Turn) isAsked = false;
    else if (kind[i] === EventKind.Issue) isAsked ||= requests[object[i] as number]?.kind === 'pool';
    else if (isAsked && nodeOf[i]! >= 0 && nodeOf[i]! < jobs.length && isOfFile(trace, i)) return true;
  }
  return false;
}

function isOfFile({ events, entities }: Trace, i: number): boolean {
  const isAccess = events.kind[i] === EventKind.Read || events.kind[i] === EventKind.Write;
  return isAccess && entities[events.object[i] as number]?.kind === 'resource';
}

/** Whether two requests can be pending at the same time: one body may await them together, or not await one. */
function reorderable({ jobs, requests }: Program, { precedes }: Causality): boolean {
  // A timer that did not fire was taken back or came too late: in another order it may come first.
  const possible = requests.filter((r) => r.delivered || r.kind === 'timer').slice(0, MOST_REQUESTS);
  return possible.some((b, i) =>
    possible.slice(0, i).some((a) => b.issuedBy < 0 || !precedes(jobs.length + a.id, b.issuedBy)),
  );
}
