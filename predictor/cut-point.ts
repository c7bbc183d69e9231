/** Cut points by names that survive another run: program points, activation paths, ordinals. */
import { createHash } from 'node:crypto';
import type { AccessPoint, CutPoint } from '../data/prediction.ts';
import type { Trace } from '../data/trace.ts';
import { EventKind } from '../data/trace.ts';
import type { Candidate } from './candidates.ts';
import type { lockStates } from './locksets.ts';
import { taskName } from './task-name.ts';

export function cutPointOf(
  trace: Trace,
  locksAt: ReturnType<typeof lockStates>,
  candidate: Candidate,
  score: number,
  reasons: readonly string[],
): CutPoint {
  const { pattern, first, remote, second } = candidate;
  const names = (event: number): string[] => locksAt(event).locks.map((l) => trace.locks[l]?.name ?? '?');
  const points = [first, remote, second].map((event) => accessPoint(trace, event)) as [
    AccessPoint,
    AccessPoint,
    AccessPoint,
  ];
  const entity = trace.entities[candidate.entity]?.name ?? '?';
  return {
    id: hash([pattern, entity, ...points.map((p) => `${p.at}${p.path}${p.ordinal}`)]),
    pattern,
    entity,
    first: points[0],
    remote: points[1],
    second: points[2],
    transaction: trace.activations[candidate.transaction]?.path ?? '',
    locksFirst: names(first),
    locksRemote: names(remote),
    rank: score,
    reasons,
  };
}

/** An access by names that survive another run. */
export function accessPoint(trace: Trace, event: number): AccessPoint {
  const { events } = trace;
  const activation = events.activation[event] as number;
  const site = events.site[event] as number;
  const kind = events.kind[event];
  const place = trace.sites[site];
  return {
    site,
    at: place ? `${place.file}:${place.line}:${place.column}` : '',
    path: trace.activations[activation]?.path ?? '',
    task: taskName(trace, activation),
    access: kind === EventKind.Write ? 'write' : 'read',
    ordinal: ordinalsOf(trace)[event] as number,
    request: requestOf(trace, event),
    event,
  };
}

const ordinals = new WeakMap<Trace, Int32Array>();

/** For each access: how many like it (same activation, place, object and kind) came before it. */
function ordinalsOf(trace: Trace): Int32Array {
  const known = ordinals.get(trace);
  if (known) return known;
  const { length, kind, activation, site, object } = trace.events;
  const counts = new Map<string, number>();
  const made = new Int32Array(length);
  for (let i = 0; i < length; i++) {
    if (kind[i] !== EventKind.Read && kind[i] !== EventKind.Write) continue;
    const like = `${activation[i]} ${site[i]} ${object[i]} ${kind[i]}`;
    const count = counts.get(like) ?? 0;
    made[i] = count;
    counts.set(like, count + 1);
  }
  ordinals.set(trace, made);
  return made;
}

/** The request whose effect an access is: accesses of the host follow its Effect event directly. */
export function requestOf(trace: Trace, event: number): string | null {
  const { events } = trace;
  for (let i = event - 1; i >= 0; i--) {
    const kind = events.kind[i];
    if (kind === EventKind.Read || kind === EventKind.Write) continue;
    return kind === EventKind.Effect ? (trace.requests[events.object[i] as number]?.name ?? null) : null;
  }
  return null;
}

/** Short stable id of a thing named by its parts. */
export function hash(parts: readonly string[]): string {
  return createHash('sha1').update(parts.join('\u0000')).digest('hex').slice(0, 10);
}
