/** What a process of a threaded program has left, as the answer to a request. */

import { grantsOf } from '../../data/threads/schedule.ts';
import { Op } from '../../data/threads/trace.ts';
import type { CallPlace } from '../../data/trace.ts';
import type { SiteInfo } from '../../monitor/runtime/types.ts';
import { type Named, placeOf, pointText, traceOf } from '../../monitor/threads/trace.ts';
import type { SharedView } from '../../monitor/threads/views.ts';
import { DEADLOCK, plainFailure } from '../failure.ts';
import { EVENT_WORDS, H, opOf, SIGNAL } from '../tokens/control.ts';
import { followedOf, hashOfTrace, strayedOf, UNPACK, waitingOf } from '../tokens/left.ts';
import type { LoopTold } from '../tokens/loop-body.ts';
import { isStepOfLoop, stepViews } from '../tokens/loop-steps.ts';
import type { ThreadReply, ThreadResult, ThreadSpec } from '../tokens/protocol.ts';
import { withTasks } from '../tokens/tasks/tasks.ts';
import { waitsOf } from '../tokens/waits.ts';
import type { Left } from './ending.ts';
import { loopsOf } from './gated/telling.ts';
import { messageName } from './lines.ts';
import type { LoopNote, Note } from './notes.ts';

/** The same, and whether event loops should have been under the gate. */
export interface ProgramReply extends ThreadReply {
  readonly unfit: string | null;
  readonly doubts: readonly string[];
}

/** What the threads told, put together. */
interface ThreadTold {
  readonly threads: string[];
  readonly sites: SiteInfo[];
  readonly views: SharedView[];
  readonly unseen: Record<string, number>;
  /** By line. */
  readonly broadcasts: Map<number, string>;
  readonly loops: LoopNote[];
  readonly callers: Map<number, readonly CallPlace[]>;
  /** Why event loops cannot be under the gate; null: nothing speaks against it. */
  unfit: string | null;
}

function put(notes: readonly Note[]): ThreadTold {
  const told: ThreadTold = {
    ...{ threads: [], sites: [], views: [], unseen: {}, broadcasts: new Map() },
    ...{ loops: [], unfit: null, callers: new Map() },
  };
  for (const note of notes) {
    if ('name' in note) told.threads[note.thread] = note.name;
    else if ('sites' in note)
      for (const [at, site] of note.sites.entries()) told.sites[note.first + at] = site;
    else if ('broadcast' in note) told.broadcasts.set(note.line, note.broadcast);
    else if ('view' in note) told.views.push(note.view);
    else if ('loop' in note) told.loops.push(note);
    else if ('callers' in note) for (const [event, calls] of note.callers) told.callers.set(event, calls);
    else if ('unfit' in note) told.unfit ??= note.unfit;
    else if ('unseen' in note) told.unseen[note.unseen] = (told.unseen[note.unseen] ?? 0) + 1;
  }
  return told;
}

export function replyOf(
  spec: ThreadSpec,
  left: Left,
  notes: readonly Note[],
  durationMs: number,
  isRecorded = false,
): ProgramReply {
  const { words, log } = left;
  const told = put(notes);
  const threads = Array.from({ length: words[H.Threads]! }, (_, at) => told.threads[at] ?? `worker ${at}`);
  const loops = loopsOf(told.loops, isRecorded);
  const named = nameAll(log, threads, told, loops);
  const trace = told.callers.size > 0 ? { ...named.trace, callers: told.callers } : named.trace;
  const doubts = loops.flatMap((loop) => loop?.doubts ?? []);
  const place = (point: number): string => placeOf(told.sites[point]);
  const deadlock = left.outcome === 'deadlock';
  const failure = deadlock ? DEADLOCK : left.failure;
  const causalLogs = threads.map((_, thread) => loops[thread]?.causalLog ?? null);
  const full = words[H.Signal] === SIGNAL.LogFull;
  const ran: ThreadResult = {
    outcome:
      failure === null
        ? 'pass'
        : doubtful(words) || doubts.length > 0
          ? 'unknown'
          : deadlock
            ? 'deadlock'
            : 'fail',
    ...followedOf(spec, strayedOf(words), named.trace),
    failure,
    waits: deadlock ? waitsOf(named, waitingOf(words), place) : [],
    events: log.length / EVENT_WORDS,
    switches: words[H.Switches]!,
    traceHash: hashOfTrace(named.trace),
    deliveries: failure ? loops.map((loop) => loop?.steps ?? []) : [],
    taken: grantsOf(named.trace.events),
    ungated: { ...told.unseen, ...countsOf(doubts) },
    late: loops.flatMap((loop) => loop?.late ?? []),
    durationMs,
  };
  return {
    ran: full ? { ...ran, outcome: 'unknown', failure: TOO_LONG } : ran,
    trace: full ? null : isRecorded ? withTasks(trace, causalLogs) : trace,
    sites: named.points.map((point) => pointText(told.sites[point])),
    reusable: false,
    unfit: told.unfit,
    doubts,
  };
}

const TOO_LONG = plainFailure('timeout', 'TooLong', 'more steps than can be recorded');

/** Real time was spent in which nobody could do anything: what failed then may have failed of it. */
const doubtful = (words: Int32Array): boolean => words[H.Stalled] === 1;

function nameAll(
  log: Int32Array,
  threads: readonly string[],
  { broadcasts, sites, views }: ThreadTold,
  loops: readonly (LoopTold | null)[],
): Named {
  const messages = new Set<number>();
  for (let at = 0; at < log.length; at += EVENT_WORDS) if (isMessage(log, at)) messages.add(log[at + 1]!);
  const channels = [...messages].map(
    (message): SharedView => ({
      ...{ address: message, width: 1, cell: message, stride: 0, length: 1, named: true },
      name: messageName(message, threads, broadcasts),
    }),
  );
  return traceOf({
    pieces: [log],
    threads,
    views: [channels, views, ...stepViews(loops), ...loops.map((loop) => loop?.files ?? [])],
    sites,
    unpack: UNPACK,
  });
}

const countsOf = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));

const isMessage = (log: Int32Array, at: number): boolean => {
  const op = opOf(log[at]!);
  return (op === Op.Send || op === Op.Receive) && log[at + 1]! < 0 && !isStepOfLoop(log[at + 1]!);
};
