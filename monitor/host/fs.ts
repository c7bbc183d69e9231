/**
 * The file system, wrapped at the binding: Node's JavaScript has already validated the call and decomposed
 * what consists of several requests, errors and flags stay native, and no tick is added, because a promise
 * is settled at the top level of the turn that delivers it, as natively.
 */
import { constants } from 'node:fs';
import type { Context } from './context.ts';
import { answerKeeper } from './fs-answers.ts';
import { type FsBinding, type FsCall, type FsReq, fsBinding } from './fs-binding.ts';
import { copyFile } from './fs-copy.ts';
import { makeDirectories } from './fs-mkdirp.ts';
import { closed, madeTemporary, opened, pathOf } from './fs-paths.ts';
import { accessesOf, callBack, issueFs, touchFs } from './fs-request.ts';
import { FS_SYNC_TABLE, FS_TABLE, type FsOutcome, type FsRow } from './fs-table.ts';
import type { HostController } from './request.ts';

/** Settles an operation the way its caller asked for: a request object or a promise. */
export type Settle = (error: unknown, ...values: unknown[]) => void;

interface Host {
  readonly binding: FsBinding;
  readonly raw: Readonly<Record<string, FsCall>>;
  readonly controller: HostController;
  readonly capture: () => Context;
  readonly keep: (value: unknown) => unknown;
  /** Request objects that Node lists as active although the kernel does nothing of the program's for them. */
  held: number;
}

/** Replaces every function of the binding that the table knows. */
export function wrapFs(
  controller: HostController,
  capture: () => Context,
  later: (fn: () => void) => void,
): { held(): number } {
  const binding = fsBinding();
  const raw = { ...binding } as unknown as Record<string, FsCall>;
  const host: Host = { binding, raw, controller, capture, keep: answerKeeper(binding, controller), held: 0 };
  for (const [name, row] of Object.entries({ ...FS_TABLE, ...FS_SYNC_TABLE })) {
    const native = raw[name];
    if (typeof native === 'function') define(binding, name, wrapCall(host, name, native, row));
  }
  wrapClose(host, later);
  return { held: () => host.held };
}

function define(target: object, name: string, fn: Function): void {
  Object.defineProperty(fn, 'name', { value: name, configurable: true });
  Object.defineProperty(target, name, { value: fn, writable: true, enumerable: true, configurable: true });
}

function wrapCall(host: Host, name: string, native: FsCall, row: FsRow): FsCall {
  const { binding, controller } = host;
  const { kUsePromises, FSReqCallback } = binding;
  return function (this: unknown, ...args) {
    if (!controller.active()) return native.apply(this, args);
    for (let at = args.length - 1; at >= 0; at--) {
      const arg = args[at];
      if (arg === kUsePromises) return withPromise(host, name, native, row, args, at);
      if (arg instanceof FSReqCallback) return withCallback(host, name, native, row, args, at);
    }
    return synchronously(host, name, native, row, args, this);
  };
}

function synchronously(
  host: Host,
  name: string,
  native: FsCall,
  row: FsRow,
  args: unknown[],
  self: unknown,
): unknown {
  const existed = existedBefore(host, name, args);
  let value: unknown;
  try {
    value = host.keep(native.apply(self, args));
  } catch (error) {
    touchFs(host.controller, row, args, { failed: true, existed, value: undefined });
    throw error;
  }
  remember(name, args, value);
  touchFs(host.controller, row, args, { failed: false, existed, value });
  return value;
}

function withCallback(
  host: Host,
  name: string,
  native: FsCall,
  row: FsRow,
  args: unknown[],
  at: number,
): undefined {
  const req = args[at] as FsReq;
  const context = host.capture();
  const answer = req.oncomplete;
  const settle: Settle = (...values) => {
    release(host, req);
    answer?.apply(req, values);
  };
  if (decompose(host, name, args, row, context, settle)) {
    host.held += 1;
    return;
  }
  operate(host, name, native, row, args, req, (request, values) =>
    callBack(host.controller, request, context, () => {
      req.oncomplete = answer;
      answer?.apply(req, values);
    }),
  );
}

function withPromise(
  host: Host,
  name: string,
  native: FsCall,
  row: FsRow,
  args: unknown[],
  at: number,
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const { frames } = host.controller;
  const settle: Settle = (error, value) => (error ? reject(error) : resolve(value));
  if (decompose(host, name, args, row, null, settle)) return promise;
  // A request object of ours instead of a promise of the binding: its answer comes in a macrotask of its own.
  const req = new host.binding.FSReqCallback(args[1] === true && name.includes('stat'));
  args[at] = req;
  operate(host, name, native, row, args, req, (_request, [error, value]) =>
    frames.runAs(null, () => settle(error, value)),
  );
  return promise;
}

/** Node lists a request object as active until the kernel answered it: this one is spent on a call for nothing. */
function release(host: Host, req: FsReq): void {
  req.oncomplete = () => {
    host.held -= 1;
  };
  host.raw['access']!.call(host.binding, '', 0, req);
}

/** Operations that are several in the kernel. False: this one is not, or not in this form. */
function decompose(
  host: Host,
  name: string,
  args: readonly unknown[],
  row: FsRow,
  context: Context | null,
  settle: Settle,
): boolean {
  if (name === 'mkdir' && args[2] === true) {
    makeDirectories(host.controller, host.raw, host.binding, String(args[0]), args[1], context, settle);
    return true;
  }
  if (name === 'copyFile' && (Number(args[2]) & constants.COPYFILE_FICLONE_FORCE) === 0) {
    copyFile(host.controller, row, args, context, settle);
    return true;
  }
  return false;
}

function operate(
  host: Host,
  name: string,
  native: FsCall,
  row: FsRow,
  args: unknown[],
  req: FsReq,
  deliver: (request: Parameters<typeof callBack>[1], values: unknown[]) => void,
): void {
  let answer: unknown[] = [];
  let outcome: FsOutcome = { failed: false, existed: false, value: undefined };
  host.held += 1;
  issueFs(host.controller, row, args, {
    effect(done) {
      const existed = existedBefore(host, name, args);
      const arrive = (values: unknown[]) => {
        answer = values.map(host.keep);
        outcome = { failed: Boolean(values[0]), existed, value: values[1] };
        if (!outcome.failed) remember(name, args, values[1]);
        done(true);
      };
      req.oncomplete = (...values) => arrive(values);
      host.held -= 1;
      try {
        native.apply(host.binding, args);
      } catch (error) {
        arrive([error]);
      }
    },
    deliver: (request) => deliver(request, answer),
    accesses: () => accessesOf(row, args, outcome),
  });
}

/** Whether a file that may be created was there before: what tells a creation from an overwrite. */
function existedBefore(host: Host, name: string, args: readonly unknown[]): boolean {
  const creates =
    name === 'open' || name === 'openFileHandle'
      ? (Number(args[1]) & constants.O_CREAT) !== 0
      : name === 'writeFileUtf8' && typeof args[0] !== 'number';
  return creates && host.raw['existsSync']!.call(host.binding, args[0]) === true;
}

/** Keeps track of what descriptors and random names stand for. */
function remember(name: string, args: readonly unknown[], value: unknown): void {
  if (name === 'open' && typeof value === 'number') opened(value, pathOf(args[0]));
  else if (name === 'openFileHandle') opened((value as { fd: number }).fd, pathOf(args[0]));
  else if (name === 'mkdtemp') madeTemporary(pathOf(value));
  else if (name === 'close') closed(args[0] as number);
}

/** FileHandle.close: the one asynchronous operation that is a method. */
function wrapClose(host: Host, later: (fn: () => void) => void): void {
  const { controller } = host;
  const prototype = host.binding.FileHandle.prototype;
  const native = prototype.close;
  const row: FsRow = { api: 'fs.close', about: [0], touches: () => {} };
  define(prototype, 'close', function (this: { fd: number }) {
    if (!controller.active()) return native.call(this as never);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let settle = () => resolve();
    const { fd } = this;
    issueFs(controller, row, [fd], {
      effect: (done) => {
        closed(fd);
        native
          .call(this as never)
          .catch((error: unknown) => {
            settle = () => reject(error);
          })
          .then(() => later(() => done(true)));
      },
      deliver: () => controller.frames.runAs(null, settle),
      accesses: () => [],
    });
    return promise;
  });
}
