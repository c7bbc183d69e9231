/**
 * Tasks of threads with event loops. What goes on at the same time in one thread is told as threads of their own, called
 * `alice` and `alice (task 2)`: what is not awaited before the next thing is done. Turns exclude each other, so each is
 * within a lock of its event loop; what runs later in a turn because of something earlier follows it.
 */
import { isDelivery } from '../schedule-step.ts';
import { LOOP_STEP, Op, type ThreadEvents, type ThreadTrace } from './trace.ts';

/** The point of all events by which tasks are told: no step of the thread is one of them. */
export const LOOP_POINT = '(event loop)';

const TASK = / \(task \d+\)$/;
/** Whether a channel stands for a step that begins a turn; what the host does by itself are effects. */
const isTurn = (channel: string): boolean =>
  channel.startsWith(LOOP_STEP) && isDelivery(channel.slice(LOOP_STEP.length));
/** The thread that a task or thread belongs to, by name. */
export const threadOfTask = (name: string): string => name.replace(TASK, '');
export const taskName = (thread: string, ordinal: number): string => `${thread} (task ${ordinal})`;

/** Between the name of a step of an event loop and what it was. */
const WHAT = ' — ';
export const stepName = (step: string, what: string): string => LOOP_STEP + step + WHAT + what;

/** For people, what a channel stands for that is a step of an event loop; null: it is none. */
export function stepWords(channel: string): string | null {
  if (!channel.startsWith(LOOP_STEP)) return null;
  return channel.slice(channel.indexOf(WHAT) + WHAT.length).replace(/#\d+$/, '');
}

/** What the messages of a line are called: `message 2 to worker 1`. The line, or null: the channel is no message. */
export const lineOfMessage = (channel: string): string | null =>
  /^message \d+ (.+)$/.exec(channel)?.[1] ?? null;

/** The name of the step of an event loop that a channel stands for; null: it is none. */
export const loopStepIn = (channel: string): string | null =>
  channel.startsWith(LOOP_STEP) ? channel.slice(LOOP_STEP.length, channel.indexOf(WHAT)) : null;

/** By thread, the steps of event loops in their order, by name. */
export function deliveriesIn({ events, names }: ThreadTrace): string[][] {
  const found: string[][] = realThreads(names.threads).map(() => []);
  const real = realOf(names.threads);
  for (let i = 0; i < events.length; i++) {
    const step = events.op[i] === Op.Send ? loopStepIn(names.channels[events.object[i]!]!) : null;
    if (step !== null) found[real[events.thread[i]!]!]!.push(step);
  }
  return found;
}

/** Whether threads of a trace have event loops whose steps are told. */
export const isOfLoops = ({ names }: ThreadTrace): boolean =>
  names.channels.some((channel) => channel.startsWith(LOOP_STEP));

/**
 * The events of an order without those by which tasks are told, each turn as late as its thread goes on in it: it is an answer that is
 * late where others go on in between, not the CPU, and answers may be later.
 */
export function lateTurns({ events, names }: ThreadTrace, order: ArrayLike<number>): number[] {
  const point = names.points.indexOf(LOOP_POINT);
  const real = realOf(names.threads);
  const begins = names.channels.map(isTurn);
  const later: number[] = [];
  /** Turns by thread that wait for what follows in them; from the back. */
  const next = new Map<number, number>();
  for (let at = order.length - 1; at >= 0; at--) {
    const event = order[at]!;
    if (events.point[event] === point) continue;
    const thread = real[events.thread[event]!]!;
    const behind = next.get(thread);
    const beginsTurn = events.op[event] === Op.Send && begins[events.object[event]!]!;
    next.set(thread, event);
    if (beginsTurn && behind !== undefined) later.splice(later.lastIndexOf(behind) + 1, 0, event);
    else later.push(event);
  }
  return later.reverse();
}

export const realThreads = (threads: readonly string[]): readonly string[] =>
  threads.filter((name) => !TASK.test(name));

const realOf = (threads: readonly string[]): number[] =>
  threads.map((name) => threads.indexOf(threadOfTask(name)));

/** The events of the threads themselves: the same trace where no thread has tasks. */
export function withoutTasks({ events, names }: ThreadTrace): ThreadTrace {
  const point = names.points.indexOf(LOOP_POINT);
  if (point < 0) return { events, names };
  const real = realOf(names.threads);
  const kept: number[] = [];
  for (let i = 0; i < events.length; i++) if (events.point[i] !== point) kept.push(i);
  const stripped: ThreadEvents = {
    length: kept.length,
    op: Uint8Array.from(kept, (i) => events.op[i]!),
    thread: Uint16Array.from(kept, (i) => real[events.thread[i]!]!),
    object: Int32Array.from(kept, (i) => events.object[i]!),
    point: Int32Array.from(kept, (i) => events.point[i]!),
  };
  return { events: stripped, names: { ...names, threads: realThreads(names.threads) } };
}
