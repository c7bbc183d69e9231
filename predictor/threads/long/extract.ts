/** Pieces of a long trace, each in one reading. */
import { EventBuffer } from '../../../data/threads/event-buffer.ts';
import { Frontier, type Window, windowOf } from './frontier.ts';
import type { LongTrace } from './long-trace.ts';

/** The events `from` to `to` (at most the last) as a trace of its own. */
export function extract(trace: LongTrace, from: number, to: number): Window {
  const before = new Frontier(trace.counts.threads);
  const kept = new EventBuffer(Math.max(1, Math.min(to, trace.counts.events) - from));
  let offset = 0;
  for (const { length, object, op, point, thread } of trace.chunks()) {
    const end = Math.min(length, from - offset);
    for (let i = 0; i < end; i++) before.step(op[i]!, thread[i]!, object[i]!);
    for (let i = Math.max(0, end); i < length && offset + i < to; i++)
      kept.push(op[i]!, thread[i]!, object[i]!, point[i]!);
    offset += length;
    if (offset >= to) break;
  }
  const events = kept.events();
  return windowOf({ events, offset: from, names: trace.names() }, before, from, from + events.length);
}

/** Thread and program point of some events, by event. */
export function placesOf(
  trace: LongTrace,
  wanted: ReadonlySet<number>,
): Map<number, { readonly thread: number; readonly point: number }> {
  const sorted = Int32Array.from(wanted).sort();
  const places = new Map<number, { thread: number; point: number }>();
  let offset = 0;
  let next = 0;
  for (const { length, point, thread } of trace.chunks()) {
    for (; next < sorted.length && sorted[next]! < offset + length; next++) {
      const at = sorted[next]! - offset;
      places.set(sorted[next]!, { thread: thread[at]!, point: point[at]! });
    }
    offset += length;
    if (next === sorted.length) break;
  }
  return places;
}
