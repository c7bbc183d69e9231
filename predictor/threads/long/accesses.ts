/** The accesses of a block that belong to kinds that are looked for, by entity. */
import { Op, type ThreadEvents } from '../../../data/threads/trace.ts';
import { LockClasses } from '../pass/lock-classes.ts';
import { LockLog, useOf } from '../pass/lock-log.ts';
import type { Access, Kinds } from './kinds.ts';

export class Accesses {
  /** By entity, oldest first; what is older than the last {@link forget} is gone. */
  readonly byEntity = new Map<number, Access[]>();
  /** Events that were taken in. */
  length = 0;
  private readonly kinds: Kinds;
  private readonly locks: readonly LockLog[];
  private readonly depths: Int32Array;
  private readonly transaction: Int32Array;
  private transactions = 0;

  constructor(kinds: Kinds, threads: number) {
    const classes = new LockClasses();
    this.kinds = kinds;
    this.locks = Array.from({ length: threads }, () => new LockLog(classes));
    this.depths = new Int32Array(threads);
    this.transaction = new Int32Array(threads);
  }

  /** The next events of the trace, from `from` on in `events`. */
  take({ length, object, op, point, thread }: ThreadEvents, from: number): void {
    for (let i = from; i < length; i++) {
      const kind = op[i]!;
      const t = thread[i]!;
      const locks = this.locks[t]!;
      if (kind <= Op.Write) {
        if (this.kinds.has(object[i]!, point[i]!, kind))
          this.add(this.length + i - from, t, object[i]!, 2 * point[i]! + kind);
      } else if (kind === Op.Begin) {
        if (this.depths[t]!++ === 0) this.transaction[t] = this.transactions++;
      } else if (kind === Op.End) this.depths[t]!--;
      else if (kind === Op.Acquire || kind === Op.AcquireShared)
        locks.acquire(useOf(object[i]!, kind === Op.AcquireShared));
      else if (kind === Op.Release || kind === Op.ReleaseShared)
        locks.release(useOf(object[i]!, kind === Op.ReleaseShared));
      if (kind >= Op.Acquire && kind <= Op.ReleaseShared) locks.forget();
    }
    this.length += length - from;
  }

  /** Accesses before this event will not be asked for any more. */
  forget(before: number): void {
    for (const [entity, list] of this.byEntity) {
      const kept = list.findIndex(({ event }) => event >= before);
      if (kept < 0) this.byEntity.delete(entity);
      else if (kept > 0) list.splice(0, kept);
    }
  }

  private add(event: number, thread: number, entity: number, shape: number): void {
    const locks = this.locks[thread]!;
    const access = {
      event,
      thread,
      entity,
      shape,
      transaction: this.depths[thread]! > 0 ? this.transaction[thread]! : -1,
      lockClass: locks.class(locks.mark),
    };
    const list = this.byEntity.get(entity);
    if (list) list.push(access);
    else this.byEntity.set(entity, [access]);
  }
}

/** The pairs of a thread's accesses within a transaction, the second being the next of its kind of those listed. */
export function* pairsOf(list: readonly Access[]): Generator<readonly [Access, Access]> {
  /** Of each thread: its accesses back to the last of either kind. */
  const open = new Map<number, Access[]>();
  for (const second of list) {
    if (second.transaction < 0) continue;
    const known = open.get(second.thread) ?? [];
    const before = known.at(-1)?.transaction === second.transaction ? known : [];
    let at = before.length - 1;
    for (; at >= 0; at--) {
      yield [before[at]!, second];
      if (((before[at]!.shape ^ second.shape) & 1) === 0) break;
    }
    before.push(second);
    open.set(second.thread, before);
  }
}
