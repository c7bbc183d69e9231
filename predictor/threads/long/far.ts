/** Candidates whose accesses are nowhere close together, by letting one thread wait (delay.ts). */
import { merged } from '../merge.ts';
import { rankOf } from '../rank.ts';
import type { Representative } from '../representatives.ts';
import { Delay } from './delay.ts';
import { placesOf } from './extract.ts';
import { Frontier } from './frontier.ts';
import type { Kind } from './kinds.ts';
import type { LongTrace } from './predict.ts';

/** As many as `events` allow, the most promising first: each costs the distance of its accesses. */
export function* farApart(
  trace: LongTrace,
  kinds: readonly Kind[],
  events: number,
): Generator<Representative | null> {
  const chosen: Kind[] = [];
  for (const kind of kinds) {
    const { first, remote, second } = kind.candidate;
    const span = Math.max(second, remote) - Math.min(first, remote);
    if (span > events) continue;
    events -= span;
    chosen.push(kind);
  }
  if (chosen.length === 0) return;
  const places = placesOf(
    trace,
    new Set(chosen.flatMap(({ candidate: { first, remote } }) => [first, remote])),
  );
  const start = (kind: Kind): number => Math.min(kind.candidate.first, kind.candidate.remote);
  const waiting = chosen.toSorted((a, b) => start(b) - start(a));
  let running: { kind: Kind; delay: Delay }[] = [];
  const frontier = new Frontier(trace.counts.threads);
  let offset = 0;
  for (const { length, object, op, thread } of trace.chunks()) {
    for (let i = 0; i < length; i++) {
      const event = offset + i;
      for (let next = waiting.at(-1); next && start(next) === event; next = waiting.at(-1)) {
        waiting.pop();
        const { first, remote } = next.candidate;
        const [local, other] = [places.get(first)!.thread, places.get(remote)!.thread];
        running.push({ kind: next, delay: new Delay(next.candidate, local, other, frontier) });
      }
      for (const { delay } of running) delay.step(event, op[i]!, thread[i]!, object[i]!);
      if (running.some(({ delay }) => delay.to <= event || delay.state === 'failed')) {
        for (const { kind, delay } of running)
          if (delay.to <= event && delay.completes()) {
            kind.found += 1;
            yield cutPointOf(trace, delay);
          }
        running = running.filter(({ delay }) => delay.to > event && delay.state !== 'failed');
      }
      frontier.step(op[i]!, thread[i]!, object[i]!);
    }
    offset += length;
    yield null;
    if (waiting.length === 0 && running.length === 0) return;
  }
}

function cutPointOf(trace: LongTrace, { candidate, columns, from, order }: Delay): Representative {
  const { entity, first, pattern, points, remote, second } = candidate;
  const events = {
    length: order.length,
    op: Uint8Array.from(columns.op),
    thread: Uint16Array.from(columns.thread),
    object: Int32Array.from(columns.object),
    point: new Int32Array(0),
  };
  const places = Int32Array.from(order.keys());
  const sorted = merged(events, places, trace.counts.threads);
  const switches = (of: Int32Array): number =>
    of.reduce((sum, at, i) => sum + (i > 0 && events.thread[at] !== events.thread[of[i - 1]!] ? 1 : 0), 0);
  const after = switches(sorted);
  const { score, reasons } = rankOf({ pattern, points, distance: second - first }, true, after);
  return {
    ...{ pattern, entity, first, remote, second, completes: true, observed: from, alike: 1 },
    schedule: Int32Array.from(order),
    reduced: { schedule: sorted.map((at) => order[at]!), before: switches(places), after },
    rank: score,
    reasons,
  };
}
