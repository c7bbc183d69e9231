/** What an execution of threads took, and whether an execution went as it was to go. */
import { addStep, isStep } from '../../data/threads/schedule.ts';
import { Op, type ThreadEvents, type ThreadTrace } from '../../data/threads/trace.ts';
import { EVENT_WORDS, opOf, threadOf } from './control.ts';

/** The log of an execution as grants: pairs of thread and steps. */
export function takenBy(pieces: readonly Int32Array[]): number[] {
  const grants: number[] = [];
  for (const piece of pieces)
    for (let i = 0; i < piece.length; i += EVENT_WORDS) addStep(grants, opOf(piece[i]!), threadOf(piece[i]!));
  return grants;
}

/**
 * The first expected event that is not what happened, by index; -1: all are. Addresses of memory are arbitrary: objects
 * only have to correspond, one to one.
 */
export function firstDifference(expected: ThreadTrace, actual: ThreadTrace): number {
  const [a, b] = [steps(expected.events), steps(actual.events)];
  const objects = new Map<string, number>();
  const taken = new Map<string, number>();
  for (const [at, i] of a.entries()) {
    const j = b[at];
    if (j === undefined || !alike(expected, i, actual, j)) return at;
    const op = expected.events.op[i]!;
    const [from, to] = [expected.events.object[i]!, actual.events.object[j]!];
    const kind = kindOf(op);
    if ((objects.get(kind + from) ?? to) !== to || (taken.get(kind + to) ?? from) !== from) return at;
    objects.set(kind + from, to);
    taken.set(kind + to, from);
  }
  return -1;
}

/** Which numbering an operation's object is of: those of threads are no channels. */
const kindOf = (op: number): string =>
  op <= Op.Write ? 'e' : op <= Op.ReleaseShared ? 'l' : op <= Op.Join ? 't' : 'c';

function steps({ length, op }: ThreadEvents): number[] {
  const found: number[] = [];
  for (let i = 0; i < length; i++) if (isStep(op[i]!)) found.push(i);
  return found;
}

const alike = (a: ThreadTrace, i: number, b: ThreadTrace, j: number): boolean =>
  a.events.thread[i] === b.events.thread[j] &&
  a.events.op[i] === b.events.op[j] &&
  a.names.points[a.events.point[i]!] === b.names.points[b.events.point[j]!];
