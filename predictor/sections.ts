/**
 * Critical sections: from the acquisition of a lock to its release, and which accesses lie inside in every
 * order. Two sections of one lock never overlap, so nothing of one falls between two accesses of the other.
 */
import { EventKind, type Trace } from '../data/trace.ts';
import type { Causality } from './causality.ts';

interface Section {
  readonly lock: number;
  /** Events. */
  readonly acquired: number;
  readonly released: number;
}

export type Sections = (event: number) => readonly Section[];

/** The sections around an event of the same task, outermost acquisitions only. */
export function sections(
  trace: Trace,
  before: Causality['before'],
  taskOf: (activation: number) => number,
): Sections {
  const { events } = trace;
  const byTask = new Map<number, Section[]>();
  const open = new Map<string, { acquired: number; depth: number }>();
  for (let i = 0; i < events.length; i++) {
    const kind = events.kind[i];
    if (kind !== EventKind.Acquire && kind !== EventKind.Release) continue;
    const task = taskOf(events.activation[i] as number);
    const lock = events.object[i] as number;
    const key = `${task}:${lock}`;
    const hold = open.get(key);
    if (kind === EventKind.Acquire) {
      if (hold) hold.depth += 1;
      else open.set(key, { acquired: i, depth: 1 });
    } else if (hold && --hold.depth === 0) {
      open.delete(key);
      const list = byTask.get(task);
      const section = { lock, acquired: hold.acquired, released: i };
      if (list) list.push(section);
      else byTask.set(task, [section]);
    }
  }
  if (byTask.size === 0) return () => [];
  const known = new Map<number, readonly Section[]>();
  return (event) => {
    let around = known.get(event);
    if (!around) {
      const all = byTask.get(taskOf(events.activation[event] as number)) ?? [];
      // What only happened to run meanwhile is not inside.
      around = all.filter(({ acquired, released }) => before(acquired, event) && before(event, released));
      known.set(event, around);
    }
    return around;
  };
}

/** The lock that keeps `remote` from falling between `first` and `second`, or -1. */
export function excludes(around: Sections, first: number, remote: number, second: number): number {
  const outer = around(first);
  if (outer.length === 0) return -1;
  const last = around(second);
  const others = around(remote);
  for (const section of outer)
    if (last.includes(section) && others.some((o) => o.lock === section.lock && o !== section))
      return section.lock;
  return -1;
}
