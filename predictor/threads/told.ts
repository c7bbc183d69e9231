/** Cut points of threads in the words of all reports. */
import { createHash } from 'node:crypto';
import type { AccessPoint, CutPoint } from '../../data/prediction.ts';
import type { ThreadCutPoint } from '../../data/threads/cut-point.ts';
import { Op, type ThreadTrace } from '../../data/threads/trace.ts';
import { readable } from '../../data/threads/transaction.ts';
import type { Occurrence } from './occurrences.ts';
import { shownOnlyBy } from './shown.ts';
import { tornOnlyBy } from './torn-pairs.ts';
import { ThreadTransactions } from './transactions.ts';

/** What a cut point tells, whatever led to it. */
type ToldCutPoint = Pick<
  ThreadCutPoint,
  'pattern' | 'entity' | 'first' | 'remote' | 'second' | 'rank' | 'reasons'
>;

/** Stable over runs: by names and places. */
export function idOf({ names, events }: ThreadTrace, told: ToldCutPoint): string {
  const { pattern, entity, first, remote, second } = told;
  const at = (event: number) => [names.threads[events.thread[event]!], names.points[events.point[event]!]];
  const what = JSON.stringify([pattern, entity, at(first), at(remote), at(second), first, remote, second]);
  return createHash('sha256').update(what).digest('hex').slice(0, 8);
}

export function accessAt({ events, names }: ThreadTrace, event: number): AccessPoint {
  const task = names.threads[events.thread[event]!]!;
  return {
    site: events.point[event]!,
    at: names.points[events.point[event]!]!,
    path: task,
    task,
    access: events.op[event] === Op.Write ? 'write' : 'read',
    ordinal: 0,
    request: null,
    event,
  };
}

export function cutPointOf(trace: ThreadTrace, cutPoint: ToldCutPoint): CutPoint {
  const access = (event: number): AccessPoint => accessAt(trace, event);
  const first = access(cutPoint.first);
  return {
    id: `c${idOf(trace, cutPoint)}`,
    pattern: cutPoint.pattern,
    entity: cutPoint.entity,
    first,
    remote: access(cutPoint.remote),
    second: access(cutPoint.second),
    transaction: transactionOf(trace, cutPoint) ?? first.path,
    locksFirst: [],
    locksRemote: [],
    rank: cutPoint.rank,
    reasons: cutPoint.reasons,
  };
}

/** For people: the call or the pass that the two local accesses belong to; null: nothing smaller than their thread. */
export function transactionOf(trace: ThreadTrace, { first, second }: ToldCutPoint): string | null {
  let transactions = known.get(trace);
  if (!transactions) known.set(trace, (transactions = new ThreadTransactions(trace)));
  const found = transactions.of(first, second);
  return found && readable(found);
}

const known = new WeakMap<ThreadTrace, ThreadTransactions>();

/** What explains a failure that no prediction led to, read off its own run; the best first. */
export function explanationsOf(failing: ThreadTrace, natural: ThreadTrace): CutPoint[] {
  const nameOf = (entity: number): string => failing.names.entities[entity]!;
  const told = (shown: Occurrence): CutPoint =>
    cutPointOf(failing, { ...shown, entity: nameOf(shown.entity), rank: 0, reasons: [] });
  const torn = tornOnlyBy(failing, natural).map(({ other, ...pair }) => ({
    ...told(pair),
    other: { entity: nameOf(other.entity), remote: accessAt(failing, other.remote) },
  }));
  return [...shownOnlyBy(failing, natural).map(told), ...torn];
}
