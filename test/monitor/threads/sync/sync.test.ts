import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { loadThreadHarnesses } from '../../../../harnesses/load.ts';
import { runThreads } from '../../../../harnesses/natural-threads.ts';
import {
  allocate,
  attach,
  Barrier,
  CountDownLatch,
  int32,
  Monitor,
  Mutex,
  ReadWriteLock,
  record,
  Semaphore,
  SyncError,
} from '../../../../monitor/threads/api.ts';

const programs = new URL('./programs.ts', import.meta.url);

describe('locks in free threads', async () => {
  for (const harness of await loadThreadHarnesses(programs))
    it(harness.name, () => runThreads(harness, programs));
});

describe('misuse', () => {
  const locks = record({
    mutex: Mutex.part,
    monitor: Monitor.part,
    readWrite: ReadWriteLock.part,
    binary: Semaphore.binary,
  });
  const fresh = () => attach(locks, allocate(locks));
  const refused = (call: () => void, message: RegExp) =>
    assert.throws(call, (error) => error instanceof SyncError && message.test(error.message));

  it('is refused where a lock is given back that nobody holds', () => {
    const { mutex, monitor, readWrite, binary } = fresh();
    refused(() => mutex.unlock(), /^mutex: unlocked by a thread that does not hold it$/);
    refused(() => monitor.exit(), /^monitor: left by a thread that is not inside$/);
    refused(() => monitor.wait(), /^monitor: waited for by a thread that is not inside$/);
    refused(() => monitor.notify(), /^monitor: notified by a thread that is not inside$/);
    refused(() => monitor.notifyAll(), /^monitor: notified by a thread that is not inside$/);
    refused(() => readWrite.unlock(), /^readWrite: write lock given back by a thread that has none$/);
    refused(() => readWrite.unlockShared(), /^readWrite: read lock given back by a thread that has none$/);
    refused(() => binary.release(), /^binary: released by a thread that did not acquire it$/);
  });

  it('is refused where a thread would wait for itself', () => {
    const { mutex, readWrite, binary } = fresh();
    mutex.lock();
    refused(() => mutex.lock(), /^mutex: locked again/);
    refused(() => mutex.tryLock(), /^mutex: locked again/);
    readWrite.lockShared();
    refused(() => readWrite.lock(), /^readWrite: locked again/);
    refused(() => readWrite.lockShared(), /^readWrite: locked again/);
    binary.acquire();
    refused(() => binary.acquire(), /^binary: acquired again/);
  });

  it('is refused of a thread while another one holds the lock', async () => {
    const buffer = allocate(locks);
    const { mutex, monitor, binary } = attach(locks, buffer);
    mutex.lock();
    monitor.enter();
    binary.acquire();
    const source = `
      const { workerData, parentPort } = require('node:worker_threads');
      import(workerData.api).then(({ Mutex, Monitor, Semaphore, attach, record }) => {
        const part = record({ mutex: Mutex.part, monitor: Monitor.part });
        const { mutex, monitor } = attach(part, workerData.buffer);
        const told = [() => mutex.unlock(), () => monitor.exit()].map((call) => {
          try { call(); return 'done'; } catch (error) { return error.message; }
        });
        parentPort.postMessage([...told, mutex.tryLock()]);
      });`;
    const api = new URL('../../../../monitor/threads/api.ts', import.meta.url).href;
    const worker = new Worker(source, { eval: true, workerData: { api, buffer } });
    const told = await new Promise((resolve, reject) =>
      worker.once('message', resolve).once('error', reject),
    );
    await worker.terminate();
    assert.deepEqual(told, [
      'mutex: unlocked by a thread that does not hold it',
      'monitor: left by a thread that is not inside',
      false,
    ]);
  });

  it('leaves a lock usable', () => {
    const { mutex, monitor } = fresh();
    assert.throws(() => mutex.runExclusive(() => assert.fail('within')), /within/);
    assert.throws(() => monitor.synchronized(() => assert.fail('within')), /within/);
    assert.deepEqual([mutex.held, monitor.held], [false, false]);
    assert.equal(mutex.tryLock(), true);
  });
});

describe('without a second thread', () => {
  it('a wait ends with its time', () => {
    const part = record({ monitor: Monitor.part, latch: CountDownLatch.part(1) });
    const { monitor, latch } = attach(part, allocate(part));
    monitor.enter();
    monitor.enter();
    assert.equal(monitor.wait(1), false);
    monitor.exit();
    assert.equal(monitor.held, true, 'as deep as it was');
    assert.equal(latch.wait(1), false);
    latch.countDown();
    assert.equal(latch.wait(1), true);
  });

  it('nothing waits for nobody', () => {
    const part = record({
      barrier: Barrier.part(1),
      latch: CountDownLatch.part(0),
      semaphore: Semaphore.part(1),
      monitor: Monitor.part,
    });
    const { barrier, latch, semaphore, monitor } = attach(part, allocate(part));
    assert.equal(barrier.arriveAndWait(), true);
    assert.equal(latch.wait(), true);
    assert.equal(semaphore.tryAcquire(), true);
    assert.equal(semaphore.tryAcquire(), false);
    monitor.synchronized(() => monitor.notifyAll());
  });
});

describe('the layout of shared memory', () => {
  it('puts fields side by side, at multiples of eight bytes, and does not let them overlap', () => {
    const part = record({ a: int32(3), b: int32(), inner: record({ c: int32(2), d: int32() }) });
    assert.equal(part.bytes, 16 + 8 + 16);
    const { a, b, inner } = attach(part, allocate(part));
    assert.deepEqual(
      [a, b, inner.c, inner.d].map(({ byteOffset, length }) => [byteOffset, length]),
      [
        [0, 3],
        [16, 1],
        [24, 2],
        [32, 1],
      ],
    );
  });
});
