/**
 * Requests for files that the kernel has. One that was carried out at once never gets there, and stays on Node's list until it
 * is collected.
 */
import type { FsReq } from './fs-binding.ts';

const { _getActiveRequests: activeRequests } = process as unknown as {
  _getActiveRequests(): readonly object[];
};

const taken = new WeakSet<object>();

/** The gate has taken this request over: while it is under way the gate knows. */
export function takeOver(req: FsReq): FsReq {
  taken.add(req);
  return req;
}

/** Somebody's requests for files are under way that the gate did not take. */
export const hasForeignFiles = (): boolean =>
  activeRequests.call(process).some((each) => isForFiles(each) && !taken.has(each));

/** Of an object without a constructor nobody knows. */
const isForFiles = (request: object): boolean =>
  (request.constructor as { name?: string } | undefined)?.name?.startsWith('FSReq') ?? true;
