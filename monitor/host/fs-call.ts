/**
 * Carries out a file operation at its effect. Where it cannot block, that is Node's synchronous form of the same
 * call: nothing else runs meanwhile anyway, and a trip through the thread pool takes ten times as long. What may
 * wait for somebody (a FIFO, a terminal, a socket) goes through the pool.
 */
import { setStackDepth } from '../stack-depth.ts';
import type { FsBinding, FsCall, FsReq } from './fs-binding.ts';
import type { FsHost } from './fs-host.ts';

/** What `oncomplete` would be called with. */
export type Answer = readonly unknown[];

/** One call of the binding: its arguments, with the place of the request object. */
export interface BindingCall {
  readonly name: string;
  readonly native: FsCall;
  /** The synchronous form, where that is another function. */
  readonly sync?: FsCall;
  readonly self: unknown;
  readonly args: readonly unknown[];
  readonly at: number;
}

/**
 * The synchronous forms are not a public interface, and a wrong number of arguments ends the process: they are
 * used only on the release lines whose own JavaScript they were read from.
 */
const KNOWN_FORMS = /^2[46]\./.test(process.versions.node);
const TYPE = 0o170000;
const REGULAR = 0o100000;
const DIRECTORY = 0o040000;
const TRANSFERS = new Set(['read', 'readBuffers', 'writeBuffer', 'writeBuffers', 'writeString']);

/** An error that a synchronous write reports in an object behind its arguments. */
interface CallFailure {
  errno?: number;
}

/** The answer, if the call could be made at once. */
export function callAtOnce(
  binding: FsBinding,
  raw: Readonly<Record<string, FsCall>>,
  call: BindingCall,
): Answer | null {
  if (!KNOWN_FORMS || mayBlock(binding, raw, call.name, call.args[0])) return null;
  const failure: CallFailure = {};
  const { stackTraceLimit } = Error;
  // An error of the kernel has no stack of JavaScript.
  setStackDepth(0);
  try {
    const value = synchronously(binding, raw, call, failure);
    if (failure.errno !== undefined) return null;
    return value === undefined ? [null] : [null, value];
  } catch (error) {
    return [error];
  } finally {
    setStackDepth(stackTraceLimit);
  }
}

function synchronously(
  binding: FsBinding,
  raw: Readonly<Record<string, FsCall>>,
  { name, native, sync = native, self, args, at }: BindingCall,
  failure: CallFailure,
): unknown {
  switch (name) {
    case 'openFileHandle':
      return new binding.FileHandle(raw['open']!.apply(binding, args.slice(0, at)) as number);
    case 'stat':
    case 'lstat':
      return native.call(self, args[0], args[1], undefined, args[at + 1] ?? true);
    case 'fstat':
      return native.call(self, args[0], args[1], undefined, false);
    case 'writeBuffer':
    case 'writeString':
      return native.apply(self, [...args.slice(0, at), undefined, failure]);
    default:
      return sync.apply(self, args.slice(0, at));
  }
}

/** Makes the call through the thread pool. */
export function callLater(call: BindingCall, req: FsReq, arrived: (answer: Answer) => void): void {
  const { native, self, args, at } = call;
  const own = [...args];
  own[at] = req;
  req.oncomplete = (...answer) => arrived(answer);
  try {
    native.apply(self, own);
  } catch (error) {
    arrived([error]);
  }
}

/** Takes a step of an operation that is several in the kernel: where operations go through the thread pool, behind a trip. */
export function takeStep({ binding, raw, controller }: FsHost, step: () => void): void {
  if (!controller.usesPool) {
    step();
    return;
  }
  const req = new binding.FSReqCallback();
  req.oncomplete = step;
  raw['access']!.call(binding, '/', 0, req);
}

function mayBlock(
  binding: FsBinding,
  raw: Readonly<Record<string, FsCall>>,
  name: string,
  target: unknown,
): boolean {
  const opens = name === 'open' || name === 'openFileHandle';
  if (!opens && !TRANSFERS.has(name)) return false;
  let stats: unknown;
  try {
    stats = opens
      ? raw['stat']!.call(binding, target, false, undefined, false)
      : raw['fstat']!.call(binding, target, false, undefined, true);
  } catch {
    // A closed descriptor, a loop of links, a name too long: the call itself fails at once, and tells.
    return false;
  }
  // What is not there cannot block; an open descriptor that cannot be inspected might.
  if (!(stats instanceof Float64Array)) return !opens;
  const type = stats[1]! & TYPE;
  return type !== REGULAR && type !== DIRECTORY;
}
