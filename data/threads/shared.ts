/** What several threads have in common, as far as a run shows it. */
import { isAccess, Op, type ThreadEvents } from './trace.ts';

/** Entities that several threads touch, by index. */
export function sharedEntities({ length, object, op, thread }: ThreadEvents): Set<number> {
  const first = new Map<number, number>();
  const shared = new Set<number>();
  for (let event = 0; event < length; event++) {
    if (!isAccess(op[event]!)) continue;
    const entity = object[event]!;
    const other = first.get(entity);
    if (other === undefined) first.set(entity, thread[event]!);
    else if (other !== thread[event]) shared.add(entity);
  }
  return shared;
}

/** Those of them that one writes: accesses to others may come in any order. */
export function contendedEntities(events: ThreadEvents): Set<number> {
  const written = new Set<number>();
  for (let event = 0; event < events.length; event++)
    if (events.op[event] === Op.Write) written.add(events.object[event]!);
  return sharedEntities(events).intersection(written);
}
