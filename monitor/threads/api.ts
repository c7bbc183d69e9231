/**
 * `unweave/threads`: shared memory with names, and what threads need to share it. Everything works without
 * Unweave, on plain `Atomics`; with it, each operation is one step whose meaning is known. A lock of your own is
 * taught by wrapping what it does in `acquire`, `release` and their relatives.
 */
export { adaptLock, type LockMethods } from './adapt.ts';
export {
  acquire,
  acquireShared,
  arrive,
  leave,
  nameShared,
  receive,
  release,
  releaseShared,
  type SharedPlace as Place,
  send,
  transaction,
} from './annotate.ts';
export { Barrier } from './sync/barrier.ts';
export { CountDownLatch } from './sync/count-down-latch.ts';
export {
  type Attached,
  type AttachedFields,
  allocate,
  attach,
  bigint64,
  float64,
  int32,
  list,
  type Part,
  type Region,
  record,
  uint8,
} from './sync/layout.ts';
export { SyncError } from './sync/misuse.ts';
export { Monitor } from './sync/monitor.ts';
export { Mutex } from './sync/mutex.ts';
export { ReadWriteLock } from './sync/read-write-lock.ts';
export { Semaphore } from './sync/semaphore.ts';
