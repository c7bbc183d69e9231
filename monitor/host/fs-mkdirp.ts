/**
 * `mkdir` with `recursive`: Node's C++ makes a chain of pool requests of it, going up to the first parent that
 * exists and down again. The same chain, one request at a time, so that others may come between.
 */
import { dirname, toNamespacedPath } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import type { Context } from './context.ts';
import { type Answer, callAtOnce, callLater } from './fs-call.ts';
import type { FsHost, Settle } from './fs-host.ts';
import { accessesOf, callBack, issueFs } from './fs-request.ts';
import { FS_TABLE } from './fs-table.ts';
import type { HostRequest } from './request.ts';

const FINAL = new Set(['ENOTDIR', 'EACCES', 'ENOSPC', 'EPERM', 'EROFS']);
const DIRECTORY = 0o040000;
const TYPE = 0o170000;

type Then = (request: HostRequest, error: NodeJS.ErrnoException | null, value?: unknown) => void;

/** Starts the chain; `settle` is called in the turn of its last request. */
export function makeDirectories(
  host: FsHost,
  wanted: string,
  mode: unknown,
  context: Context | null,
  settle: Settle,
): void {
  const { binding, raw, controller } = host;
  /** Paths still to be made, the next one last. */
  const stack = [toNamespacedPath(wanted)];
  let first: string | undefined;

  function request(name: 'mkdir' | 'stat', args: unknown[], then: Then): void {
    let error: NodeJS.ErrnoException | null = null;
    let value: unknown;
    const row = FS_TABLE[name]!;
    issueFs(controller, row, args, {
      effect(done) {
        const native = raw[name]!;
        const call = { name, native, self: binding, args: [...args, undefined], at: args.length };
        const arrived = ([failure, result]: Answer) => {
          error = (failure as NodeJS.ErrnoException) ?? null;
          value = result instanceof Float64Array ? result.slice() : result;
          if (!failure) row.stamps?.(host.times, args, { failed: false, existed: false, value });
          done(true);
        };
        const answer = controller.usesPool ? null : callAtOnce(binding, raw, call);
        if (answer) arrived(answer);
        else callLater(call, new binding.FSReqCallback(), arrived);
      },
      deliver: (self) => then(self, error, value),
      accesses: () => accessesOf(row, args, { failed: error !== null, existed: false, value: undefined }),
    });
  }

  function finish(self: HostRequest, error: unknown, value?: unknown): void {
    if (context) callBack(controller, self, context, () => (error ? settle(error) : settle(null, value)));
    else controller.frames.runAs(null, () => settle(error, value));
  }

  function step(): void {
    const path = stack.pop() as string;
    request('mkdir', [path, mode, false], (self, error) => {
      if (!error) {
        first ??= path;
        if (stack.length > 0) step();
        else finish(self, null, first);
      } else if (FINAL.has(error.code as string)) finish(self, systemError(error.code as string, path));
      else if (error.code === 'ENOENT') {
        const parent = dirname(path);
        // What has no parent in its name lies in a directory that is gone.
        if (parent === path || !path.includes('/')) finish(self, systemError('ENOENT', path));
        else {
          stack.push(path, parent);
          step();
        }
      } else inspect(path, error.code as string);
    });
  }

  /** Something is there, or the path is odd: only a directory will do. */
  function inspect(path: string, code: string): void {
    request('stat', [path, false], (self, error, value) => {
      const isDirectory = !error && ((value as Float64Array)[1]! & TYPE) === DIRECTORY;
      if (isDirectory && stack.length > 0) step();
      else if (isDirectory) finish(self, null, first);
      else if (code === 'EEXIST' && stack.length > 0) finish(self, systemError('ENOTDIR', path));
      else finish(self, systemError(error ? (error.code as string) : 'EEXIST', path));
    });
  }

  step();
}

/** An error as Node makes it of a failed system call. */
function systemError(code: string, path: string): NodeJS.ErrnoException {
  const [errno, description] = systemErrors().get(code) ?? [0, 'unknown error'];
  const error: NodeJS.ErrnoException = new Error(`${code}: ${description}, mkdir '${path}'`);
  error.errno = errno;
  error.code = code;
  error.syscall = 'mkdir';
  error.path = path;
  return error;
}

let byCode: Map<string, [number, string]> | null = null;

function systemErrors(): Map<string, [number, string]> {
  byCode ??= new Map([...getSystemErrorMap()].map(([errno, [code, text]]) => [code, [errno, text]]));
  return byCode;
}
