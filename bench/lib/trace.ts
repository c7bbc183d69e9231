/** A generated trace as an event loop leaves it: handlers that read, wait for the host, and write. */
import type { Trace } from '../../data/trace.ts';
import { TraceBuilder } from '../../test/predictor/trace-builder.ts';

/** Awaits of one handler. */
const ROUNDS = 5;
/** Events of one round: read, issue, effect and its access, turn, job, write. */
const EVENTS_PER_ROUND = 7;

/** About `size` events. All handlers start together; each shares an entity with three others. */
export function generatedTrace(size: number): Trace {
  const b = new TraceBuilder();
  const handlers = Math.ceil(size / (ROUNDS * EVENTS_PER_ROUND));
  const ask = (handler: number, round: number): number => {
    b.read(`Cart#${handler >> 2}`, `read${round}`);
    return b.issue('pool', `root.handler${handler}|fs.write#${round}`);
  };
  const waiting = Array.from({ length: handlers }, (_, handler) => {
    const activation = b.activation(`handler${handler}`);
    b.begin(activation);
    return { handler, activation, round: 0, request: ask(handler, 0) };
  });
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { handler, activation, request } = next;
    const round = next.round + 1;
    b.effect(request, ['W', `fs:/${handler}`]);
    b.begin(activation, b.deliver(request));
    b.write(`Cart#${handler >> 2}`, `write${round}`);
    if (round < ROUNDS) waiting.push({ handler, activation, round, request: ask(handler, round) });
  }
  return b.build();
}
