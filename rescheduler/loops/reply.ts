/** What a process of a threaded program has left, as the answer to a request. */
import { createHash } from 'node:crypto';
import { Op } from '../../data/threads/trace.ts';
import type { SiteInfo } from '../../monitor/runtime/types.ts';
import { type Named, placeOf, traceOf } from '../../monitor/threads/trace.ts';
import type { SharedView } from '../../monitor/threads/views.ts';
import { DEADLOCK, plainFailure } from '../failure.ts';
import {
  EVENT_WORDS,
  H,
  opOf,
  pointOf,
  record,
  SIGNAL,
  STATE,
  STRAY,
  T,
  threadOf,
} from '../tokens/control.ts';
import { firstDifference, grantsOf } from '../tokens/follow.ts';
import type { ThreadReply, ThreadResult, ThreadSpec } from '../tokens/protocol.ts';
import { waitsOf } from '../tokens/waits.ts';
import type { Left } from './ending.ts';
import { messageName } from './mail.ts';
import type { Note } from './notes.ts';

/** What the threads told, put together. */
interface Told {
  readonly threads: string[];
  readonly sites: SiteInfo[];
  readonly views: SharedView[];
  readonly unseen: string[];
}

function put(notes: readonly Note[]): Told {
  const told: Told = { threads: [], sites: [], views: [], unseen: [] };
  for (const note of notes) {
    if ('name' in note) told.threads[note.thread] = note.name;
    else if ('sites' in note)
      for (const [at, site] of note.sites.entries()) told.sites[note.first + at] = site;
    else if ('view' in note) told.views.push(note.view);
    else told.unseen.push(note.unseen);
  }
  return told;
}

export function replyOf(
  spec: ThreadSpec,
  left: Left,
  notes: readonly Note[],
  durationMs: number,
): ThreadReply {
  const { words, log } = left;
  const told = put(notes);
  const threads = Array.from({ length: words[H.Threads]! }, (_, at) => told.threads[at] ?? `worker ${at}`);
  const named = nameAll(log, threads, told);
  const place = (point: number): string => placeOf(told.sites[point]);
  const deadlock = left.outcome === 'deadlock';
  const failure = deadlock ? DEADLOCK : left.failure;
  const full = words[H.Signal] === SIGNAL.LogFull;
  const ran: ThreadResult = {
    outcome: failure === null ? 'pass' : doubtful(words) ? 'unknown' : deadlock ? 'deadlock' : 'fail',
    ...followedOf(spec, words, named),
    failure,
    waits: deadlock ? waitsOf(named, waiting(words), place) : [],
    events: log.length / EVENT_WORDS,
    switches: words[H.Switches]!,
    traceHash: createHash('sha1').update(log).digest('hex').slice(0, 16),
    taken: grantsOf(named.trace.events),
    durationMs,
  };
  return {
    ran: full ? { ...ran, outcome: 'unknown', failure: TOO_LONG } : ran,
    trace: full ? null : named.trace,
    sites: named.points.map((point) => ({
      text: told.sites[point]?.text ?? '',
      fn: told.sites[point]?.fn ?? '',
    })),
    reusable: false,
  };
}

const TOO_LONG = plainFailure('timeout', 'TooLong', 'more steps than can be recorded');

/** Real time was spent in which nobody could do anything: what failed then may have failed of it. */
const doubtful = (words: Int32Array): boolean => words[H.Stalled] === 1;

function nameAll(log: Int32Array, threads: readonly string[], { sites, views }: Told): Named {
  const messages = new Set<number>();
  for (let at = 0; at < log.length; at += EVENT_WORDS) if (isMessage(log, at)) messages.add(log[at + 1]!);
  const channels = [...messages].map(
    (message): SharedView => ({
      ...{ address: message, width: 1, length: 1, named: true },
      name: messageName(message, threads),
    }),
  );
  const unpack = { thread: threadOf, op: opOf, point: pointOf };
  return traceOf({ pieces: [log], threads, views: [channels, views], sites, unpack });
}

const isMessage = (log: Int32Array, at: number): boolean => {
  const op = opOf(log[at]!);
  return (op === Op.Send || op === Op.Receive) && log[at + 1]! < 0;
};

function followedOf(
  spec: ThreadSpec,
  words: Int32Array,
  { trace }: Named,
): Pick<ThreadResult, 'followed' | 'divergence'> {
  if (spec.kind !== 'directed') return { followed: null, divergence: null };
  const { expected } = spec.schedule;
  const differs = expected ? firstDifference(expected, trace) : -1;
  const strayed = words[H.Strayed]! >= 0;
  if (differs < 0 && (expected || !strayed)) return { followed: 'followed', divergence: null };
  if (!strayed) return { followed: 'diverged', divergence: `step ${differs + 1}` };
  const kind = words[H.StrayKind] === STRAY.Infeasible ? 'infeasible' : 'diverged';
  return { followed: kind, divergence: `grant ${words[H.Strayed]! + 1}` };
}

function waiting(words: Int32Array): Parameters<typeof waitsOf>[1] {
  return Array.from({ length: words[H.Threads]! }, (_, thread) => thread).flatMap((thread) => {
    const its = record(thread);
    const state = words[its + T.State]!;
    if (state !== STATE.Blocked && state !== STATE.Spinning) return [];
    const [address, operation] = [words[its + T.Address]!, words[its + T.Operation]!];
    return [{ thread, address, operation, place: words[its + T.Place]!, point: words[its + T.Point]! }];
  });
}
