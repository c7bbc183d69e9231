/** The accesses of a block that belong to kinds that are looked for, by entity. */
import { isOrderOnly, Op, type ThreadEvents } from '../../../data/threads/trace.ts';
import type { Epochs } from '../pass/epochs.ts';
import { LockClasses } from '../pass/lock-classes.ts';
import { LockLog, useOf } from '../pass/lock-log.ts';
import type { Access, Kinds } from './kinds.ts';

export class Accesses {
  /** By entity, oldest first; what is older than the last {@link forget} is gone. */
  readonly byEntity = new Map<number, Access[]>();
  /** Events that were taken in. */
  length = 0;
  private readonly kinds: Kinds;
  private readonly epochs: Epochs;
  private readonly classes = new LockClasses();
  private readonly locks: readonly LockLog[];
  private readonly releases: Int32Array;
  private readonly depths: Int32Array;
  private readonly transaction: Int32Array;
  private transactions = 0;

  /** `epochs`: those of the trace. */
  constructor(kinds: Kinds, threads: number, epochs: Epochs) {
    epochs.rewind();
    this.epochs = epochs;
    this.kinds = kinds;
    this.locks = Array.from({ length: threads }, () => new LockLog(this.classes));
    this.releases = new Int32Array(threads);
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
        this.releases[t]! += locks.release(useOf(object[i]!, kind === Op.ReleaseShared)) ? 1 : 0;
      else if (isOrderOnly(kind)) this.epochs.enter(t);
      if (kind >= Op.Acquire && kind <= Op.ReleaseShared) locks.forget();
    }
    this.length += length - from;
  }

  /** Whether must-order and locks allow the remote access between the others, as far as is seen at a glance. */
  canMeet(first: Access, second: Access, remote: Access): boolean {
    if (this.epochs.meeting(first.epoch, second.epoch, remote.epoch) < 0) return false;
    // Whoever gives nothing back never holds less than at first.
    return second.releases > first.releases || this.classes.areCompatible(first.lockClass, remote.lockClass);
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
      epoch: this.epochs.current[thread]!,
      transaction: this.depths[thread]! > 0 ? this.transaction[thread]! : -1,
      lockClass: locks.class(locks.mark),
      releases: this.releases[thread]!,
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
