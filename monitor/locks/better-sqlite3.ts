/** better-sqlite3 has no locks that others wait for; the host is told of the copy that was loaded. */
import { packageLoaded } from '../host/packages.ts';
import type { LockAdapter } from './api.ts';

export const betterSqlite3: LockAdapter = {
  module: 'better-sqlite3',
  adopt(exports) {
    // What `require` gives, or a namespace with that as its default.
    const database: unknown = typeof exports === 'function' ? exports : exports['default'];
    if (typeof database === 'function') packageLoaded('better-sqlite3', database);
    return undefined;
  },
};
