/** The drivers that are known. */
import { isBuiltin } from 'node:module';
import { whenLoaded } from '../host/builtins.ts';
import { betterSqlite3 } from './better-sqlite3.ts';
import type { DriverAdapter, DriverHost } from './driver.ts';
import { nodeSqlite } from './node-sqlite.ts';
import { whenPackageLoaded } from './packages.ts';
import type { StatementOrder } from './statement.ts';

export const DRIVERS: readonly DriverAdapter[] = [nodeSqlite, betterSqlite3];

/** Has each adopt what the program has loaded or will load. */
export function installDrivers(
  host: DriverHost,
  drivers = DRIVERS,
  order: StatementOrder | null = null,
): void {
  for (const driver of drivers) {
    const { module } = driver;
    const adopt = (exports: object | undefined) => exports && driver.adopt(exports, host, order);
    if (isBuiltin(module)) whenLoaded(module.replace(/^node:/, ''), adopt);
    else whenPackageLoaded(module, adopt);
  }
}
