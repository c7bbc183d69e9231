/** Makes requests of file operations and gives them to the controller. */
import type { Context } from './context.ts';
import type { HostRequests } from './controller.ts';
import { AccessList } from './fs-accesses.ts';
import { displayPath, pathOf } from './fs-paths.ts';
import type { FsOutcome, FsRow } from './fs-table.ts';
import { originOf } from './naming.ts';
import type { HostAccess, HostRequest } from './request.ts';

/** What a file operation does at its effect and at its delivery. */
export interface FsWork {
  readonly effects?: number;
  /** See {@link HostRequest.inCall}. */
  readonly inCall?: boolean;
  effect(done: (last?: boolean) => void): void;
  deliver(request: HostRequest): void;
  accesses(): readonly HostAccess[];
}

/** Issues one operation of the thread pool. */
export function issueFs(
  controller: HostRequests,
  row: FsRow,
  args: readonly unknown[],
  work: FsWork,
): HostRequest {
  const request = fsRequest(controller, row, args, work);
  controller.issue(request);
  return request;
}

/** Tells the controller of a synchronous call, which took effect already. */
export function touchFs(
  controller: HostRequests,
  row: FsRow,
  args: readonly unknown[],
  outcome: FsOutcome,
): void {
  controller.touched(
    fsRequest(controller, row, args, {
      effects: 0,
      effect: (done) => done(true),
      deliver: () => {},
      accesses: () => accessesOf(row, args, outcome),
    }),
  );
}

/**
 * The entities that an operation touched, by its row of the table. One that fails has changed nothing: an exclusive open that finds the
 * file has seen that it is there.
 */
export function accessesOf(row: FsRow, args: readonly unknown[], outcome: FsOutcome): readonly HostAccess[] {
  const list = new AccessList();
  row.touches(list, args, outcome);
  return outcome.failed ? list.seen() : list.list;
}

/** What an operation is about, for people. */
export const aboutOf = (row: FsRow, args: readonly unknown[]): string =>
  row.about.map((i) => displayPath(pathOf(args[i]))).join(' → ');

/** Runs a callback as the host would: in the context of its request, as an activation of its own. */
export function callBack(
  controller: HostRequests,
  request: HostRequest,
  context: Context,
  callback: () => void,
): void {
  const { frames } = controller;
  context(() => frames.runAs(frames.deliveryFrame(request), callback));
}

function fsRequest(
  controller: HostRequests,
  row: FsRow,
  args: readonly unknown[],
  work: FsWork,
): HostRequest {
  const request: HostRequest = {
    kind: 'pool',
    api: row.api,
    what: aboutOf(row, args),
    ...originOf(controller, row.api),
    ref: true,
    id: -1,
    accesses: () => work.accesses(),
    effects: work.effects ?? 1,
    inCall: work.inCall === true,
    effect: (done) => work.effect(done),
    deliver: () => work.deliver(request),
  };
  return request;
}
