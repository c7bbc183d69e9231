import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, beforeEach, test } from 'node:test';
import { installLockHooks } from '../../../monitor/locks/hooks.ts';
import { setLockObserver } from '../../../monitor/locks/observer.ts';

let log: string[] = [];
before(() => installLockHooks());
beforeEach(() => {
  log = [];
  const kind = (name: string): string => name.replace(/@.*/, '');
  let ticket = 0;
  setLockObserver({
    wait: (_lock, name) => {
      log.push(`wait ${kind(name)}`);
      return ++ticket;
    },
    enter: () => log.push('granted'),
    release: (_lock, name) => log.push(`release ${kind(name)}`),
  });
});
after(() => setLockObserver(null));
const inside = async (): Promise<string> => {
  log.push('inside');
  return 'value';
};

test('async-mutex: acquire and runExclusive of a Mutex', async () => {
  const { Mutex } = await import('async-mutex');
  assert.equal(await new Mutex().runExclusive(inside), 'value');
  assert.deepEqual(log, ['wait Mutex', 'inside', 'release Mutex']);
  const release = await new Mutex().acquire();
  release();
  assert.deepEqual(log.slice(3), ['wait Mutex', 'release Mutex']);
});

test('async-mutex: a semaphore of two is no lock', async () => {
  const { Semaphore } = await import('async-mutex');
  await new Semaphore(2).runExclusive(inside);
  assert.deepEqual(log, ['inside']);
});

test('async-mutex by require', async () => {
  const { Mutex } = createRequire(import.meta.url)('async-mutex');
  await new Mutex().runExclusive(inside);
  assert.deepEqual(log, ['wait Mutex', 'inside', 'release Mutex']);
});

test('async-lock: one lock per key', async () => {
  const { default: AsyncLock } = await import('async-lock');
  assert.equal(await new AsyncLock().acquire('k', inside), 'value');
  assert.deepEqual(log, ['wait AsyncLock(k)', 'granted', 'inside', 'release AsyncLock(k)']);
});

test('p-limit: a limit of one, not of two', async () => {
  const { default: pLimit } = await import('p-limit');
  assert.equal(await pLimit(1)(inside), 'value');
  assert.equal(await pLimit(2)(inside), 'value');
  assert.deepEqual(log, ['wait p-limit(1)', 'granted', 'inside', 'release p-limit(1)', 'inside']);
});

test('p-queue: concurrency one', async () => {
  const { default: PQueue } = await import('p-queue');
  assert.equal(await new PQueue({ concurrency: 1 }).add(inside), 'value');
  assert.deepEqual(log, ['wait p-queue', 'granted', 'inside', 'release p-queue']);
});

test('an error passes through and gives the lock back', async () => {
  const { default: pLimit } = await import('p-limit');
  const fail = async (): Promise<never> => {
    throw new Error('from inside');
  };
  await assert.rejects(pLimit(1)(fail), /from inside/);
  assert.deepEqual(log, ['wait p-limit(1)', 'granted', 'release p-limit(1)']);
});
