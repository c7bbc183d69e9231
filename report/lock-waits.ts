/** Who waits for a lock that another one holds, where tasks of one event loop are stuck on each other. */
import { EventKind, type Trace } from '../data/trace.ts';
import { taskName, taskPath } from '../predictor/task-name.ts';
import { code } from './entity.ts';
import { place } from './phrase.ts';

/** Says in a line of {@link lockWaits}, and in one of threads, that somebody else has what is waited for. */
const HELD_BY = ', held by ';

/** Whether those who wait do so for each other: then that tells the deadlock, and no step of the host does. */
export const isCircle = (waits: readonly string[]): boolean =>
  waits.length > 1 && waits.every((line) => line.includes(HELD_BY));

interface LockAsked {
  readonly lock: number;
  /** Of whoever asked. */
  readonly activation: number;
}

/** One line for each task of the circle; empty: there is none, so that something else is waited for. */
export function lockWaits(trace: Trace): string[] {
  const { conditions, events, locks, sites, suspended = [] } = trace;
  const holders = new Map<number, string>();
  const wanted = new Map<string, LockAsked>();
  for (let i = 0; i < events.length; i++) {
    const [object, activation] = [events.object[i] as number, events.activation[i] as number];
    const task = taskPath(trace, activation);
    const grant = events.kind[i] === EventKind.Wait ? conditions[object] : undefined;
    if (grant?.kind === 'lock') wanted.set(task, { lock: grant.lock, activation });
    if (events.kind[i] === EventKind.Release) holders.delete(object);
    if (events.kind[i] !== EventKind.Acquire) continue;
    holders.set(object, task);
    if (wanted.get(task)?.lock === object) wanted.delete(task);
  }
  const next = (task: string): string | undefined => {
    const lock = wanted.get(task)?.lock;
    return lock === undefined ? undefined : holders.get(lock);
  };
  const circle = [...wanted.keys()].map((task) => circleFrom(task, next)).find((tasks) => tasks.length > 1);
  return (circle ?? []).map((task) => {
    const { activation, lock } = wanted.get(task) as LockAsked;
    const site = sites[suspended.find((one) => one.activation === activation)?.site ?? -1];
    const holder = wanted.get(next(task) ?? '')?.activation ?? -1;
    const held = code(taskName(trace, holder));
    return `${code(taskName(trace, activation))} waits for ${locks[lock]?.name ?? 'a lock'}${HELD_BY}${held}${site ? ` (${place(site)})` : ''}`;
  });
}

/** The tasks from one on until it comes again; empty: it does not. */
function circleFrom(start: string, next: (task: string) => string | undefined): string[] {
  const tasks = [start];
  for (let task = next(start); task !== undefined; task = next(task)) {
    if (task === start) return tasks;
    if (tasks.includes(task)) return [];
    tasks.push(task);
  }
  return [];
}
