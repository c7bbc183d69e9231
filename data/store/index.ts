/** The store as the other stages see it. */
export type { Bug } from './bugs.ts';
export { StoreError, type StoreErrorCode } from './error.ts';
export { lockStore, type StoreLock } from './lock.ts';
export { DEFAULT_STORE, type OpenOptions, openStore } from './open.ts';
export type { Meta } from './origin.ts';
export type { Run, StoredRun } from './runs.ts';
export { MINIMAL, type StoredSchedule } from './schedules.ts';
export type { Store } from './store.ts';
export type { Timed } from './summary.ts';
export type { NewTest, Stage, StoredRecipe, TestChanges, TestKind, TestRecord } from './tests.ts';
export type { StoredThreadTrace, ThreadTraceSource } from './thread-traces.ts';
export { collect as collectThreadEvents } from './thread-traces.ts';
export type { TraceCounts } from './traces.ts';
export type { Judgement } from './verdicts.ts';
