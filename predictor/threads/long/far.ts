/** Candidates whose accesses are nowhere close together, by letting one thread wait (delay.ts). */
import { merged } from '../merge.ts';
import { rankOf } from '../rank.ts';
import type { Representative } from '../representatives.ts';
import { Delay } from './delay.ts';
import { placesOf } from './extract.ts';
import { Frontier } from './frontier.ts';
import type { OccurrenceKind } from './kinds.ts';
import type { LongTrace } from './long-trace.ts';

/** What the search among candidates that are far apart may cost. */
export interface FarLimits {
  /** Events that schedules are made of, or may have to be: memory. */
  readonly events: number;
  /** Distance of the accesses, all candidates together: time. */
  readonly distance: number;
}

/** As many as the limits allow, the most promising first. */
export function* farApart(
  trace: LongTrace,
  kinds: readonly OccurrenceKind[],
  { events, distance }: FarLimits,
): Generator<Representative | null> {
  const chosen: OccurrenceKind[] = [];
  for (const kind of kinds) {
    const { first, remote, second } = kind.candidate;
    const span = Math.max(second, remote) - Math.min(first, remote);
    if (span > distance) continue;
    distance -= span;
    chosen.push(kind);
  }
  if (chosen.length === 0) return;
  const places = placesOf(
    trace,
    new Set(chosen.flatMap(({ candidate: { first, remote } }) => [first, remote])),
  );
  const start = (kind: OccurrenceKind): number => Math.min(kind.candidate.first, kind.candidate.remote);
  const waiting = chosen.toSorted((a, b) => start(b) - start(a));
  let running: { kind: OccurrenceKind; delay: Delay }[] = [];
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
      if ((event & CHECK) === 0) giveUp(running, events);
      if (running.some(({ delay }) => delay.to <= event || delay.state === 'failed')) {
        for (const { kind, delay } of running)
          if (delay.to <= event && delay.size <= events && delay.completes()) {
            kind.found += 1;
            events -= delay.size;
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

/** So often it is looked how large schedules have become. */
const CHECK = 0xfff;

/** The longest ones, until the others fit. */
function giveUp(running: readonly { readonly delay: Delay }[], events: number): void {
  let size = running.reduce((sum, { delay }) => sum + delay.size, 0);
  for (const { delay } of running.toSorted((a, b) => b.delay.size - a.delay.size)) {
    if (size <= events) return;
    size -= delay.size;
    delay.state = 'failed';
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
