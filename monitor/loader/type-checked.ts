/**
 * Files whose types are checked after they were read and before they are compiled, as ts-node does unless it was told not
 * to: what we put into a text has no types. Such a file is instrumented behind that, as it is compiled.
 */

import { Module } from 'node:module';

/** What ts-node leaves in the process that it was loaded into. */
interface TypeChecker {
  readonly transpileOnly?: boolean;
  readonly options?: { readonly transpileOnly?: boolean };
  enabled?(): boolean;
  ignored?(file: string): boolean;
}
const KEY = Symbol.for('ts-node.register.instance');

/** Up to its version 7 it leaves nothing but itself among the modules that are loaded. */
const OLDER = /[\\/]node_modules[\\/]ts-node[\\/]dist[\\/]index\.js$/;
const { _cache: modules } = Module as unknown as { _cache: Readonly<Record<string, unknown>> };

/** Whether somebody looks at the types of this file when it is required. */
export function isTypeChecked(file: string): boolean {
  const checker = (process as unknown as Record<symbol, TypeChecker | undefined>)[KEY];
  if (checker === undefined) return Object.keys(modules).some((each) => OLDER.test(each));
  const checks = !(checker.transpileOnly ?? checker.options?.transpileOnly);
  return checks && (checker.enabled?.() ?? true) && !(checker.ignored?.(file) ?? false);
}
