/**
 * Words that lock: from one value to others only by `Atomics.compareExchange`, and back only by the thread that did so. While one
 * is changed, no exchange of others that succeeded can succeed: that is no guess about what the program means by it, but
 * holds for these events in whatever order. Words that are written in any other way are none.
 */
import { Op, type ThreadTrace } from '../../../data/threads/trace.ts';
import type { CausalLog, Mark } from '../loop-holder.ts';

type Change = Extract<Mark, { kind: 'changed' }>;

/** By event: the word that it locks or unlocks. */
export type LockWords = ReadonlyMap<number, { readonly entity: number; readonly locks: boolean }>;

export function lockWords({ events }: ThreadTrace, causalLogs: readonly (CausalLog | null)[]): LockWords {
  const changes = causalLogs.map(
    (causalLog) =>
      new Map(causalLog?.marks.flatMap((mark) => (mark.kind === 'changed' ? [[mark.at, mark]] : []))),
  );
  const ordinals = causalLogs.map(() => 0);
  /** By entity, what wrote it. */
  const writes = new Map<number, { event: number; thread: number; change: Change | undefined }[]>();
  for (let event = 0; event < events.length; event++) {
    const thread = events.thread[event]!;
    const change = changes[thread]?.get(ordinals[thread]!++);
    if (events.op[event] !== Op.Write) continue;
    const entity = events.object[event]!;
    const list = writes.get(entity);
    if (list) list.push({ event, thread, change });
    else writes.set(entity, [{ event, thread, change }]);
  }
  const found = new Map<number, { entity: number; locks: boolean }>();
  for (const [entity, list] of writes) {
    const free = list[0]!.change?.from;
    const isLock = list.every(({ change, thread }, at) => {
      if (!change) return false;
      if (at % 2 === 0) return change.conditional && change.from === free && change.to !== free;
      return change.to === free && thread === list[at - 1]!.thread;
    });
    if (isLock)
      for (const [at, { event }] of list.entries()) found.set(event, { entity, locks: at % 2 === 0 });
  }
  return found;
}
