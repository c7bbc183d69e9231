/** Errors as users see them: one line on stderr and an exit code, never a stack trace. */

import { plainText } from '../report/plain.ts';

/** Wrong usage or configuration: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What to print and how to end. */
export interface ErrorReport {
  readonly line: string;
  readonly exitCode: number;
}

/** Errors that the user can mend by calling us otherwise; each carries a message of one line. */
const USAGE = new Set([
  'TraceError',
  'UsageError',
  'ConfigError',
  'StoreError',
  'HarnessError',
  'AdapterError',
  'ReportError',
]);
/** A store that fails on the device is not the user's mistake. */
const DEVICE = new Set(['full', 'busy', 'io', 'ENOSPC', 'EIO', 'EDQUOT']);

const SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOSPC: 'no space left on the device; everything stored before is kept',
  EDQUOT: 'quota exceeded; everything stored before is kept',
  EROFS: 'read-only file system',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
};

/**
 * Turns anything thrown into one line and an exit code: 2 what the user can mend, 3 what kept us from
 * analysing. Set `UNWEAVE_DEBUG=1` for the stack.
 */
export function describeError(error: unknown): ErrorReport {
  if (!(error instanceof Error)) return { line: oneLine(String(error)), exitCode: 3 };
  if (error.name === 'AbortError') return { line: 'interrupted', exitCode: 130 };
  const { code, path } = error as NodeJS.ErrnoException;
  if (USAGE.has(error.name))
    return { line: oneLine(error.message), exitCode: code !== undefined && DEVICE.has(code) ? 3 : 2 };
  if (error.name === 'SubjectError')
    return { line: oneLine(error.message), exitCode: (error as { usage?: boolean }).usage ? 2 : 3 };
  const system = code === undefined ? undefined : SYSTEM[code];
  if (system !== undefined)
    return { line: `${path === undefined ? '' : `${path}: `}${system}`, exitCode: DEVICE.has(code!) ? 3 : 2 };
  return { line: `${oneLine(error.message || error.name)} (UNWEAVE_DEBUG=1 shows where)`, exitCode: 3 };
}

function oneLine(text: string): string {
  return plainText(text.trim().replace(/\s*\n\s*/g, ' '));
}
