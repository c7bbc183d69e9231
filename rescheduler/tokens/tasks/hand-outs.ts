/**
 * What comes by a line of messages is handed out together with all that has come by then. So what came in a step of its
 * own was sent when the hand-out before was over.
 */

import { isStep } from '../../../data/threads/schedule.ts';
import { lineOfMessage } from '../../../data/threads/tasks.ts';
import { LOOP_STEP, Op, type ThreadTrace } from '../../../data/threads/trace.ts';
import type { ToldTrace } from './told-trace.ts';

export class HandOuts {
  private readonly trace: ThreadTrace;
  private readonly told: ToldTrace;
  /** By event of the recorded trace: the next of its thread that is a step; -1: there is none. */
  private readonly following: Int32Array;
  /** By message: threads to which it came in a step of its own. */
  private readonly openers: ReadonlyMap<number, readonly number[]>;
  /** By thread and line, the channel that says that what had come is handed out. */
  private readonly over = new Map<string, number>();

  constructor(trace: ThreadTrace, told: ToldTrace) {
    this.trace = trace;
    this.told = told;
    this.following = followingSteps(trace);
    this.openers = this.openersOf(trace);
  }

  /** The step that comes behind an event in its thread; -1: there is none. */
  next(event: number): number {
    return this.following[event]!;
  }

  /** Whether the turn of an event goes on behind it. */
  goesOn(event: number): boolean {
    const next = this.next(event);
    return next >= 0 && !this.isOfLoop(next);
  }

  /** The line of a message; null: it is none. */
  lineOf(channel: number): string | null {
    return lineOfMessage(this.trace.names.channels[channel]!);
  }

  /** A task sends a message. */
  send(task: number, message: number): void {
    for (const thread of this.openers.get(message) ?? []) {
      const channel = this.over.get(`${thread} ${this.lineOf(message)}`);
      if (channel !== undefined) this.told.order(task, Op.Receive, channel);
    }
  }

  /** What had come to a thread by a line is handed out, to this task last. */
  end(thread: number, task: number, line: string): void {
    const channel = this.told.newChannel('handed out');
    this.over.set(`${thread} ${line}`, channel);
    this.told.order(task, Op.Send, channel);
  }

  private isOfLoop(event: number): boolean {
    const { events, names } = this.trace;
    return events.op[event] === Op.Send && names.channels[events.object[event]!]!.startsWith(LOOP_STEP);
  }

  private openersOf({ events }: ThreadTrace): Map<number, number[]> {
    const found = new Map<number, number[]>();
    for (let i = 0; i < events.length; i++) {
      const next = this.next(i);
      if (next < 0 || events.op[next] !== Op.Receive || !this.isOfLoop(i)) continue;
      const message = events.object[next]!;
      found.set(message, [...(found.get(message) ?? []), events.thread[i]!]);
    }
    return found;
  }
}

function followingSteps({ events, names }: ThreadTrace): Int32Array {
  const following = new Int32Array(events.length);
  const last = new Int32Array(names.threads.length).fill(-1);
  for (let i = events.length - 1; i >= 0; i--) {
    const thread = events.thread[i]!;
    following[i] = last[thread]!;
    if (isStep(events.op[i]!)) last[thread] = i;
  }
  return following;
}
