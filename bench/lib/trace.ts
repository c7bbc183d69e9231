/** A generated trace as an event loop leaves it: handlers that read, wait for the host, and write. */
import type { Trace } from '../../data/trace.ts';
import { TraceBuilder } from '../../test/predictor/trace-builder.ts';

/** Awaits of one handler. */
const ROUNDS = 5;
/** Events of one round: read, issue, effect and its access, turn, job, write. */
const EVENTS_PER_ROUND = 7;

/** About `size` events. Handlers come four at a time and share an entity with their group. */
export function generatedTrace(size: number): Trace {
  const b = new TraceBuilder();
  const handlers = Math.ceil(size / (ROUNDS * EVENTS_PER_ROUND));
  for (let first = 0; first < handlers; first += 4) {
    const entity = `Cart#${first}`;
    const ask = (handler: number, round: number): number => {
      b.read(entity, `read${round}`);
      return b.issue('pool', `root.handler${handler}|fs.write#${round}`);
    };
    const group = Array.from({ length: Math.min(4, handlers - first) }, (_, i) => {
      const handler = first + i;
      const activation = b.activation(`handler${handler}`);
      b.begin(activation);
      return { handler, activation, request: ask(handler, 0) };
    });
    for (let round = 1; round <= ROUNDS; round++) {
      for (const { request } of group) b.effect(request, ['W', `fs:/${request % 50}`]);
      for (const member of group) {
        b.begin(member.activation, b.deliver(member.request));
        b.write(entity, `write${round}`);
        if (round < ROUNDS) member.request = ask(member.handler, round);
      }
    }
  }
  return b.build();
}
