/**
 * Orders in which an access to one of a few entities comes before the write of another thread behind which it came: the run as
 * it was, with that thread stopped before the write. For what threads share only in a run that was reached on the way: why
 * they came to it is not known, so everything else stays, which leads there.
 */
import { effectsOf } from '../../data/threads/effects.ts';
import { contendedEntities } from '../../data/threads/shared.ts';
import { isAccess, Op, type ThreadTrace } from '../../data/threads/trace.ts';
import type { Occurrence } from './occurrences.ts';

export interface TurnedRound extends Pick<Occurrence, 'entity' | 'remote' | 'second'> {
  /** Event indices in execution order: all that can still come before the access, that, and what leads to the write. */
  readonly schedule: readonly number[];
}

/** So many of the writes of others before an access are tried, the nearest first. */
const NEAREST = 2;

/** `entities`: by name. */
export function turnedRound(trace: ThreadTrace, entities: ReadonlySet<string>): TurnedRound[] {
  const found: TurnedRound[] = [];
  const effects = effectsOf(trace);
  for (const { entity, remote, second } of pairs(trace, entities)) {
    const step = effects[second]! >= 0 ? effects[second]! : second;
    const stop = beforeSection(trace, step);
    const before = withoutFrom(trace, stop, remote);
    if (before)
      found.push({ entity, remote, second, schedule: [...before, ...ownEvents(trace, stop, second)] });
  }
  return found;
}

/** The first of the acquisitions by which a thread comes to a step: who is stopped there keeps nobody out. */
function beforeSection({ events: { op, thread } }: ThreadTrace, step: number): number {
  for (let event = step - 1; event >= 0; event--) {
    if (thread[event] !== thread[step]) continue;
    if (op[event] !== Op.Acquire) break;
    step = event;
  }
  return step;
}

/** What the thread of an event does from another one of its events on up to that. */
function ownEvents({ events: { thread } }: ThreadTrace, from: number, to: number): number[] {
  const own: number[] = [];
  for (let event = from; event <= to; event++) if (thread[event] === thread[to]) own.push(event);
  return own;
}

function* pairs(
  { events, names }: ThreadTrace,
  wanted: ReadonlySet<string>,
): Generator<Omit<TurnedRound, 'schedule'>> {
  const { length, object, op, thread } = events;
  const contended = contendedEntities(events);
  const writes = new Map<number, number[]>();
  for (let remote = 0; remote < length; remote++) {
    const entity = object[remote]!;
    if (!isAccess(op[remote]!) || !contended.has(entity) || !wanted.has(names.entities[entity]!)) continue;
    const before = writes.get(entity) ?? [];
    const others = before.filter((write) => thread[write] !== thread[remote]);
    for (const second of others.slice(-NEAREST).reverse()) yield { entity, remote, second };
    if (op[remote] === Op.Write) writes.set(entity, [...before, remote]);
  }
}

/** The events up to `until` without `stop` and what cannot come without it; null: `until` is among these. */
export function withoutFrom({ events }: ThreadTrace, stop: number, until: number): number[] | null {
  const { object, op, thread } = events;
  const halted = new Set([thread[stop]!]);
  /** Threads of which nothing is known to have forked them are there from the start. */
  const unborn = new Set<number>();
  const unsent = new Set<number>();
  const owners = new Map<number, Map<number, number>>();
  const kept: number[] = [];
  const isExcluded = (lock: number, by: number): boolean =>
    [...(owners.get(lock) ?? [])].some(([owner, times]) => owner !== by && times > 0);
  for (let event = 0; event <= until; event++) {
    const [by, what, of] = [thread[event]!, op[event]!, object[event]!];
    const waits =
      unborn.has(by) ||
      (what === Op.Join && halted.has(of)) ||
      ((what === Op.Receive || what === Op.Leave) && unsent.has(of)) ||
      ((what === Op.Acquire || what === Op.AcquireShared) && event > stop && isExcluded(of, by));
    if (event > stop && waits) halted.add(by);
    if (event >= stop && halted.has(by)) {
      if (event === until) return null;
      if (what === Op.Fork) unborn.add(of);
      if (what === Op.Send || what === Op.Arrive) unsent.add(of);
      continue;
    }
    kept.push(event);
    if (what < Op.Acquire || what > Op.ReleaseShared) continue;
    const held = owners.get(of) ?? new Map<number, number>();
    owners.set(of, held);
    const isTaken = what === Op.Acquire || what === Op.AcquireShared;
    held.set(by, (held.get(by) ?? 0) + (isTaken ? 1 : -1));
  }
  return kept;
}
