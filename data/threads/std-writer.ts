/**
 * Writes STD traces that the academic tools read: outermost acquires and releases only (theirs are not
 * re-entrant), and no fork or join of a thread without events, which known tools misjudge.
 */
import { SPELLING } from './std-line.ts';
import { Op, type ThreadEvents, type ThreadNames, type ThreadTrace } from './trace.ts';

/** The lines of a trace, each with its line end. What the tools could not read is left out. */
export function* stdLines({ events, names }: ThreadTrace): Generator<string> {
  const ran = new Set(events.thread);
  const depths = new Map<string, number>();
  for (let i = 0; i < events.length; i++) {
    const op = events.op[i] as Op;
    const object = events.object[i] as number;
    if ((op === Op.Fork || op === Op.Join) && !ran.has(object)) continue;
    if (isInner(depths, op, events.thread[i] as number, object)) continue;
    yield stdLine(events, names, i);
  }
}

/** One event as a line, whatever it is. */
export function stdLine(events: ThreadEvents, names: ThreadNames, i: number): string {
  const op = events.op[i] as Op;
  const operand = operandOf(names, op, events.object[i] as number);
  const point = spelled(names.points[events.point[i] as number] ?? '0');
  return `${spelled(names.threads[events.thread[i] as number] ?? '?')}|${SPELLING[op]}(${operand})|${point}\n`;
}

function operandOf(names: ThreadNames, op: Op, object: number): string {
  switch (op) {
    case Op.Read:
    case Op.Write:
      return spelled(names.entities[object] ?? '?');
    case Op.Acquire:
    case Op.Release:
    case Op.AcquireShared:
    case Op.ReleaseShared:
      return spelled(names.locks[object] ?? '?');
    case Op.Fork:
    case Op.Join:
      return spelled(names.threads[object] ?? '?');
    case Op.Begin:
    case Op.End:
      return '0';
    case Op.Send:
    case Op.Receive:
    case Op.Arrive:
    case Op.Leave:
      return spelled(names.channels[object] ?? '?');
  }
}

/** A name without what would end a field. */
const spelled = (name: string): string => name.replace(/[\s|%]/g, (c) => encodeURIComponent(c)) || '%00';

/** Whether an acquire or release is an inner one of a re-entrant hold. */
function isInner(depths: Map<string, number>, op: Op, thread: number, object: number): boolean {
  if (op < Op.Acquire || op > Op.ReleaseShared) return false;
  const shared = op >= Op.AcquireShared;
  const key = `${thread} ${object} ${shared}`;
  const depth = depths.get(key) ?? 0;
  const taken = op === Op.Acquire || op === Op.AcquireShared;
  depths.set(key, depth + (taken ? 1 : -1));
  return depth !== (taken ? 0 : 1);
}
