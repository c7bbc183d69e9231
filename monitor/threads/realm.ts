/**
 * Another realm of a thread, in which a runner runs its tests (`vm`): what wakes and waits there, what is marked as shared memory,
 * what is drawn by chance and what instrumented text calls is the thread's.
 */
import { replaceMethod } from '../replace.ts';
import { installMarks } from './views.ts';

export function adoptThreadRealm(realm: typeof globalThis): void {
  installMarks(realm);
  const own = Atomics as unknown as Record<string, unknown>;
  for (const name of Object.getOwnPropertyNames(Atomics))
    if (typeof own[name] === 'function') replaceMethod(realm.Atomics, name, own[name]);
  realm.Math.random = Math.random;
  const hooks: unknown = Reflect.get(globalThis, '__cov');
  Object.defineProperty(realm, '__cov', { value: hooks, configurable: true });
}
