/**
 * The file system, wrapped at the binding: Node's JavaScript has already validated the call and decomposed
 * what consists of several requests, errors and flags stay native, and no tick is added.
 */
import { constants } from 'node:fs';
import { replaceMethod } from '../replace.ts';
import { AroundWork } from './around-work.ts';
import type { Capture, Context } from './context.ts';
import type { HostClock, HostDoubts, HostRequests } from './controller.ts';
import { answerKeeper } from './fs-answers.ts';
import { type FsCall, type FsReq, fsBinding } from './fs-binding.ts';
import type { BindingCall } from './fs-call.ts';
import { wrapClose } from './fs-close.ts';
import { copyFile } from './fs-copy.ts';
import { type DirBinding, wrapDirectories } from './fs-dir.ts';
import type { FsHost, Settle } from './fs-host.ts';
import { wrapJobs } from './fs-jobs.ts';
import { watchHandles } from './fs-left.ts';
import { makeDirectories } from './fs-mkdirp.ts';
import { atOnce, natively, withCallback, withPromise } from './fs-operation.ts';
import { FS_SYNC_TABLE, FS_TABLE, type FsRow } from './fs-table.ts';
import { takeOver } from './fs-taken.ts';
import { FileTimes } from './fs-times.ts';

/** Replaces every function of the binding that the table knows; returns what takes an answer over on arrival. */
export function wrapFs(
  controller: HostRequests & HostClock & HostDoubts,
  capture: Capture,
  later: (fn: () => void) => void,
  directories: DirBinding | null,
  around = new AroundWork(controller),
): FsHost['keep'] {
  const binding = fsBinding();
  const raw = { ...binding } as unknown as Record<string, FsCall>;
  const times = new FileTimes(binding, raw, controller);
  const keep = answerKeeper(binding, controller, times);
  const host: FsHost = { binding, raw, controller, capture, times, keep, later, around };
  for (const [name, row] of Object.entries({ ...FS_TABLE, ...FS_SYNC_TABLE })) {
    const native = raw[name];
    if (typeof native === 'function') replaceMethod(binding, name, wrapCall(host, name, native, row));
  }
  wrapClose(host);
  watchHandles(host);
  wrapJobs(host);
  if (directories) wrapDirectories(host, directories);
  return keep;
}

function wrapCall(host: FsHost, name: string, native: FsCall, row: FsRow): FsCall {
  const { binding, controller } = host;
  const { kUsePromises, FSReqCallback } = binding;
  return function (this: unknown, ...args) {
    const at = args.findLastIndex((arg) => arg === kUsePromises || arg instanceof FSReqCallback);
    if (!controller.active(row.api)) return natively(host, native, this, args, at);
    // What the binding itself refuses it refuses in the call.
    if (isRefused(name, args)) return native.apply(this, args);
    const call: BindingCall = { name, native, self: binding, args, at };
    if (at < 0) return atOnce(host, row, call);
    const steps = inSteps(name, args);
    if (args[at] === kUsePromises)
      return steps ? steps.promise(host, row, call) : withPromise(host, row, call);
    return steps ? steps.callback(host, row, call) : withCallback(host, row, call);
  };
}

/** Operations whose first argument is a descriptor, and the places of modes in others: all that Node's JavaScript leaves unchecked. */
const BY_DESCRIPTOR = new Set([
  ...[
    'close',
    'fchmod',
    'fchown',
    'fdatasync',
    'fstat',
    'fsync',
    'ftruncate',
    'futimes',
    'read',
    'readBuffers',
  ],
  ...['writeBuffer', 'writeBuffers', 'writeString'],
]);
const MODES: Readonly<Record<string, number>> = { access: 1, copyFile: 2 };
const MOST_MODE = 7;
const MOST_DESCRIPTOR = 2 ** 31 - 1;

function isRefused(name: string, args: readonly unknown[]): boolean {
  // libuv does not read into nothing.
  if (name === 'readBuffers' && (args[1] as unknown[]).length === 0) return true;
  if (BY_DESCRIPTOR.has(name)) return !(Number.isInteger(args[0]) && isWithin(args[0], MOST_DESCRIPTOR));
  const mode = MODES[name];
  return mode !== undefined && args[mode] != null && !isWithin(args[mode], MOST_MODE);
}

/** Of a mode the fraction is cut off. */
const isWithin = (value: unknown, most: number): boolean =>
  typeof value === 'number' && value >= 0 && value <= most;

/** Operations that are several in the kernel; null for all others. */
function inSteps(name: string, args: readonly unknown[]): FsSteps | null {
  if (name === 'mkdir' && args[2] === true) return MAKE_DIRECTORIES;
  if (name !== 'copyFile' || (Number(args[2]) & constants.COPYFILE_FICLONE_FORCE) !== 0) return null;
  return COPY_FILE;
}

type StartCall = (
  host: FsHost,
  row: FsRow,
  args: readonly unknown[],
  context: Context | null,
  settle: Settle,
) => void;

interface FsSteps {
  promise(host: FsHost, row: FsRow, call: BindingCall): Promise<unknown>;
  callback(host: FsHost, row: FsRow, call: BindingCall): undefined;
}

function steps(start: StartCall): FsSteps {
  return {
    promise(host, row, { args }) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      start(host, row, args, null, (error, value) => (error ? reject(error) : resolve(value)));
      return promise;
    },
    callback(host, row, { args, at }) {
      const req = takeOver(args[at] as FsReq);
      start(host, row, args, host.capture(req), (...answer) => req.oncomplete?.apply(req, answer));
    },
  };
}

const MAKE_DIRECTORIES = steps((host, _row, args, context, settle) =>
  makeDirectories(host, String(args[0]), args[1], context, settle),
);
const COPY_FILE = steps((host, row, args, context, settle) => copyFile(host, row, args, context, settle));
