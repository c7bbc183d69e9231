/**
 * Requests for files that the kernel has. One that was carried out at once never gets there, and stays on Node's list until it
 * is collected.
 */
import type { FsReq } from './fs-binding.ts';
import { activeRequests } from './resources.ts';

const taken = new WeakSet<object>();

/** The gate has taken this request over: while it is under way the gate knows. */
export function takeOver(req: FsReq): FsReq {
  taken.add(req);
  return req;
}

/** Somebody's requests for files are under way that the gate did not take. */
export const hasForeignFiles = (): boolean =>
  activeRequests().some((each) => isForFiles(each as object) && !taken.has(each as object));

/** Of an object without a constructor nobody knows. */
const isForFiles = (request: object): boolean =>
  (request.constructor as { name?: string } | undefined)?.name?.startsWith('FSReq') ?? true;
