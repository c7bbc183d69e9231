/**
 * A test that is carried out up to one of the things that it does, whatever these are: they are written down, planned, and held in a
 * row for each kind.
 */
import type { OverlapLog, OverlapPlan, PlannedOverlap } from '../../data/overlap.ts';
import type { Overlapped } from '../../data/overlapped.ts';
import { HeldCallTest } from '../calls/held-test.ts';
import { CallLog } from '../calls/log.ts';
import { plannedCalls } from '../calls/plan.ts';
import { HeldRequestTest } from '../requests/held-test.ts';
import { RequestLog } from '../requests/log.ts';
import { isRead, plannedRequests } from '../requests/plan.ts';
import type { CaseId } from '../subjects/job.ts';
import type { HeldTest, OperationLog } from './held-test.ts';

/** Writes down what the test of this name does. */
export const listenTo = (kind: Overlapped, id: CaseId): OperationLog =>
  kind === 'requests' ? new RequestLog() : new CallLog(id.file);

/** What of it is to overlap, nearest first. */
export const plannedOf = (log: OverlapLog): PlannedOverlap[] =>
  log.kind === 'requests' ? plannedRequests(log.exchanges) : plannedCalls(log.calls);

export const holdAt = (plan: OverlapPlan, id: CaseId): HeldTest =>
  plan.kind === 'requests' ? new HeldRequestTest(plan) : new HeldCallTest(plan, id.file);

/** Why the tests of a command have nothing that could overlap. */
export function whyNothing(kind: Overlapped, logs: readonly OverlapLog[], command: string): string {
  const sent = logs.flatMap((log) => (log.kind === 'requests' ? log.exchanges : []));
  if (sent.length === 0) return `no test of '${command}' ${DOES[kind]}: nothing can overlap`;
  const which = sent.every(isRead) ? 'only read (GET)' : 'could not be sent beside another one';
  return `all requests that tests of '${command}' send to servers of their own process (${sent.length}) ${which}: nothing can overlap`;
}

const DOES: Readonly<Record<Overlapped, string>> = {
  requests: 'sends requests to a server of its own process',
  calls: 'makes two asynchronous calls of the code under test that may overlap',
};
