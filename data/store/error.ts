/** Everything that can be wrong with a store, as one line for the user. */

export type StoreErrorCode =
  /** No such file. */
  | 'missing'
  /** A file that is not ours. */
  | 'foreign'
  /** Shorter than it says. */
  | 'truncated'
  /** Its bytes contradict themselves. */
  | 'corrupt'
  /** Its schema is newer than this program. */
  | 'newer'
  /** Its schema is older, and it was opened for reading only. */
  | 'older'
  /** No space left on the device. */
  | 'full'
  /** Somebody else holds it for too long. */
  | 'busy'
  /** The system does not let us read or write it. */
  | 'access'
  /** The device failed. */
  | 'io'
  /** The caller asked for something that cannot be stored, such as a run of an unknown test. */
  | 'invalid';

export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message.replace(/\s+/g, ' '), options);
    this.code = code;
  }
}

/** SQLite's result codes, by prefix; the first that fits counts. */
const BY_PREFIX: readonly (readonly [string, StoreErrorCode, string])[] = [
  ['SQLITE_FULL', 'full', 'no space left on the device; everything stored before is kept'],
  ['SQLITE_IOERR_SHMSIZE', 'full', 'no space left on the device; everything stored before is kept'],
  ['SQLITE_BUSY', 'busy', 'held by another process for too long'],
  ['SQLITE_LOCKED', 'busy', 'held by another process for too long'],
  ['SQLITE_CORRUPT', 'corrupt', 'damaged; delete it and record again'],
  ['SQLITE_NOTADB', 'foreign', 'not an Unweave store'],
  ['SQLITE_READONLY', 'access', 'may not be written'],
  ['SQLITE_CANTOPEN', 'access', 'cannot be opened'],
  ['SQLITE_PERM', 'access', 'may not be opened'],
  ['SQLITE_AUTH', 'access', 'may not be opened'],
  ['SQLITE_IOERR_SHORT_READ', 'truncated', 'truncated; delete it and record again'],
  ['SQLITE_IOERR', 'io', 'the device failed'],
];

/** What was thrown while `path` was used, as a {@link StoreError} that names it; a mistake in our code unchanged. */
export function asStoreError(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof StoreError)
    return error.message.startsWith(`${path}: `)
      ? error
      : new StoreError(error.code, `${path}: ${error.message}`, { cause: error });
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return error;
  for (const [prefix, kind, line] of BY_PREFIX)
    if (code.startsWith(prefix)) return new StoreError(kind, `${path}: ${line} (${code})`, { cause: error });
  if (code.startsWith('SQLITE_CONSTRAINT'))
    return new StoreError('invalid', `${path}: ${error.message}`, { cause: error });
  // Our statements fit our schema: whatever else is wrong with them is wrong with the file.
  return new StoreError('corrupt', `${path}: damaged: ${error.message}`, { cause: error });
}
