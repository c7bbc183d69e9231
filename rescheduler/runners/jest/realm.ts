/** The realm of a file of tests: what the engine has there once more is ours there, too. */
import { runtime } from '../../../monitor/runtime/index.ts';
import { adoptThreadRealm } from '../../../monitor/threads/realm.ts';
import { adoptRealm } from '../../gate/session.ts';
import type { Job } from '../../subjects/job.ts';

/** What is used of `jest-util`. */
export interface JestUtil {
  /** Since Jest 30: what a realm is not to lose when it is over. */
  protectProperties?(value: unknown): unknown;
}

export function takeRealm(realm: typeof globalThis, { mode }: Job, { protectProperties }: JestUtil): void {
  // An environment may do without a realm of its own.
  if (realm.Function === Function) return;
  if (mode === 'threads') adoptThreadRealm(realm);
  else runtime.adoptRealm(realm);
  adoptRealm(realm);
  protectProperties?.(realm.Date);
  protectProperties?.(Reflect.get(realm, '__cov'));
}
