/** One operation of the binding as one request: its effect, its delivery, what it touched. */
import { constants } from 'node:fs';
import type { FsCall, FsReq } from './fs-binding.ts';
import { type Answer, type BindingCall, callAtOnce, callLater } from './fs-call.ts';
import type { FsHost } from './fs-host.ts';
import { openedHandle } from './fs-left.ts';
import { closed, madeTemporary, opened, pathOf } from './fs-paths.ts';
import { aboutOf, accessesOf, callBack, issueFs, touchFs } from './fs-request.ts';
import type { FsOutcome, FsRow } from './fs-table.ts';
import { takeOver } from './fs-taken.ts';
import type { HostRequest } from './request.ts';

/** A call that the gate leaves to Node; `at`: of what it is answered by among its arguments. */
export function natively(
  { around, binding }: FsHost,
  native: FsCall,
  self: unknown,
  args: readonly unknown[],
  at: number,
): unknown {
  const call = (): unknown => native.apply(self, args as unknown[]);
  const asked = args[at];
  if (asked === binding.kUsePromises) return around.promise(call as () => Promise<unknown>);
  return asked instanceof binding.FSReqCallback ? around.callBack(asked, 'oncomplete', call) : call();
}

/** The caller gave a request object: its callback runs at delivery. */
export function withCallback(host: FsHost, row: FsRow, call: BindingCall): undefined {
  const req = takeOver(call.args[call.at] as FsReq);
  const context = host.capture(req);
  const { oncomplete } = req;
  operate(
    host,
    row,
    call,
    () => req,
    (request, answer) =>
      callBack(host.controller, request, context, () => {
        req.oncomplete = oncomplete;
        oncomplete?.apply(req, [...answer]);
      }),
  );
}

/** The caller wants a promise: it settles at the top level of the turn that delivers it, as natively. */
export function withPromise(host: FsHost, row: FsRow, call: BindingCall): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const { frames } = host.controller;
  const bigint = call.args[1] === true && call.name.includes('stat');
  const req = () => new host.binding.FSReqCallback(bigint);
  operate(host, row, call, req, (_request, [error, value]) =>
    frames.runAs(null, () => (error ? reject(error) : resolve(value))),
  );
  return promise;
}

/** The call is synchronous: it takes effect now, and is only told of. */
export function atOnce(host: FsHost, row: FsRow, call: BindingCall): unknown {
  const { name, native, self, args } = call;
  host.controller.touching(row.api, () => aboutOf(row, args));
  const existed = existedBefore(host, name, args);
  let value: unknown;
  try {
    value = host.keep(native.apply(self, [...args]));
  } catch (error) {
    touchFs(host.controller, row, args, { failed: true, existed, value: undefined });
    throw error;
  }
  remember(name, args, value);
  const outcome = { failed: false, existed, value };
  row.stamps?.(host.times, args, outcome);
  touchFs(host.controller, row, args, outcome);
  return value;
}

function operate(
  host: FsHost,
  row: FsRow,
  call: BindingCall,
  req: () => FsReq,
  deliver: (request: HostRequest, answer: Answer) => void,
): void {
  const { name, args } = call;
  let answer: Answer = [];
  let outcome: FsOutcome = { failed: false, existed: false, value: undefined };
  issueFs(host.controller, row, args, {
    inCall: !host.controller.usesPool,
    effect(done) {
      const existed = existedBefore(host, name, args);
      const arrived = (values: Answer) => {
        answer = values.map(host.keep);
        outcome = { failed: Boolean(values[0]), existed, value: values[1] };
        if (!outcome.failed) {
          remember(name, args, values[1]);
          row.stamps?.(host.times, args, outcome);
        }
        done(true);
      };
      const values = host.controller.usesPool ? null : callAtOnce(host.binding, host.raw, call);
      if (values) arrived(values);
      else callLater(call, req(), arrived);
    },
    deliver: (request) => deliver(request, answer),
    accesses: () => accessesOf(row, args, outcome),
  });
}

/** Whether a file that may be created, copied to or forced away was there before: what tells a creation from an overwrite. */
function existedBefore(host: FsHost, name: string, args: readonly unknown[]): boolean {
  // A link to nothing is removed as well.
  if (name === 'rmSync') return isThere(host, args[0]);
  if (name === 'copyFile') return isThere(host, args[1]);
  const creates =
    name === 'open' || name === 'openFileHandle'
      ? (Number(args[1]) & constants.O_CREAT) !== 0
      : name === 'writeFileUtf8' && typeof args[0] !== 'number';
  return creates && host.raw['existsSync']!.call(host.binding, args[0]) === true;
}

function isThere({ raw, binding }: FsHost, path: unknown): boolean {
  try {
    return raw['lstat']!.call(binding, path, false, undefined, false) !== undefined;
  } catch {
    return true;
  }
}

/** Keeps track of what descriptors and random names stand for. */
function remember(name: string, args: readonly unknown[], value: unknown): void {
  if (name === 'open' && typeof value === 'number') opened(value, pathOf(args[0]));
  else if (name === 'openFileHandle') {
    opened((value as { fd: number }).fd, pathOf(args[0]));
    openedHandle(value as object);
  } else if (name === 'mkdtemp') madeTemporary(pathOf(value));
  else if (name === 'close') closed(args[0] as number);
}
