/** What an execution of threads has left in the control memory, and what it says of the wanted schedule. */
import { createHash } from 'node:crypto';
import { isStep } from '../../data/threads/schedule.ts';
import type { ThreadTrace } from '../../data/threads/trace.ts';
import { EVENT_WORDS, H, opOf, pointOf, record, STATE, STRAY, T, threadOf } from './control.ts';
import { firstDifference } from './follow.ts';
import type { ThreadResult, ThreadSpec } from './protocol.ts';

/** How the first word of an event is read. */
export const UNPACK = { thread: threadOf, op: opOf, point: pointOf };

/** The grant that could not be used up, from 0, and why. */
export interface Strayed {
  readonly at: number;
  readonly kind: 'infeasible' | 'diverged';
}

/** Null where every grant was used up. */
export function strayedOf(words: Int32Array): Strayed | null {
  if (words[H.Strayed]! < 0) return null;
  const kind = words[H.StrayKind] === STRAY.Infeasible ? 'infeasible' : 'diverged';
  return { at: words[H.Strayed]!, kind };
}

/** A wait that nobody ends. */
export interface WaitingThread {
  readonly thread: number;
  readonly address: number;
  /** The annotated operation and its place, if it waits in one. */
  readonly operation: number;
  readonly place: number;
  readonly point: number;
}

export function waitingOf(words: Int32Array): WaitingThread[] {
  return Array.from({ length: words[H.Threads]! }, (_, thread) => thread).flatMap((thread) => {
    const its = record(thread);
    const state = words[its + T.State];
    if (state !== STATE.Blocked && state !== STATE.Spinning) return [];
    const [address, operation] = [words[its + T.Address]!, words[its + T.Operation]!];
    return [{ thread, address, operation, place: words[its + T.Place]!, point: words[its + T.Point]! }];
  });
}

/** What became of the wanted schedule. `actual`: null where nothing was recorded, as nothing was expected. */
export function followedOf(
  spec: ThreadSpec,
  strayed: Strayed | null,
  actual: ThreadTrace | null,
): Pick<ThreadResult, 'followed' | 'divergence'> {
  if (spec.kind !== 'directed') return { followed: null, divergence: null };
  const { expected } = spec.schedule;
  const differs = expected && actual ? firstDifference(expected, actual) : -1;
  if (differs < 0 && (expected || !strayed)) return { followed: 'followed', divergence: null };
  if (strayed) return { followed: strayed.kind, divergence: `grant ${strayed.at + 1}` };
  return { followed: 'diverged', divergence: `step ${differs + 1}` };
}

/** Over all steps in their order: an execution has the same whether its transactions are told or not. */
export function hashOf(pieces: readonly Int32Array[]): string {
  const hash = createHash('sha1');
  for (const piece of pieces) {
    const steps = new Int32Array(piece.length);
    let length = 0;
    for (let at = 0; at < piece.length; at += EVENT_WORDS) {
      if (!isStep(opOf(piece[at]!))) continue;
      steps[length++] = piece[at]!;
      steps[length++] = piece[at + 1]!;
    }
    hash.update(steps.subarray(0, length));
  }
  return hash.digest('hex').slice(0, 16);
}

/** The same where numbers of points depend on which thread was the first to load a file. */
export function hashOfTrace({ events, names }: ThreadTrace): string {
  const hash = createHash('sha1');
  for (let i = 0; i < events.length; i++)
    if (isStep(events.op[i]!))
      hash.update(
        `${events.thread[i]} ${events.op[i]} ${events.object[i]} ${names.points[events.point[i]!]}\n`,
      );
  return hash.digest('hex').slice(0, 16);
}
