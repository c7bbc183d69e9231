/**
 * Solves the delays: times for the steps of a failing order such that plain Node takes them in this order when
 * answers come at their times and timers fire when they are due. Timers cannot be put off, what started them can:
 * where a timer would come too early, its start is moved to a later time, and all is worked out anew.
 */
import { EventKind, type Request, type Trace } from '../../data/trace.ts';
import type { PlannedPause, PlannedRequest, PlannedStep, WitnessPlan } from './plan.ts';

/** What a step of the thread pool takes by itself, ms. */
const STEP_MS = 0.3;
/**
 * Distances between a timer and its neighbours, ms, the best first: the larger, the less does the load of the
 * machine matter; the smaller, the more fits before the timer.
 */
const MARGINS = [20, 10, 5, 2, 1, 0];
const MOST_ROUNDS = 500;
/** What is not held comes at its own time: later than this after it was asked for, ms, is no accident. */
const NATURAL_MS = 5;

/** Before everything that waits. */
const AT_ONCE: PlannedStep = { index: -1, at: 0 };

type Kind = 'effect' | 'end' | 'deliver' | 'timer' | 'immediate' | 'other';

interface Moment {
  readonly kind: Kind;
  /** Index of the request; -1 where nothing is known of it. */
  readonly request: number;
  /** The moment in whose turn the request was issued; -1: the first turn. */
  readonly cause: number;
  readonly delay: number;
}

interface Solution {
  readonly times: readonly number[];
  readonly pauses: readonly PlannedPause[];
  /** Timers that come too early, whatever is late. */
  readonly missed: number;
}

export interface Solved {
  readonly plan: WitnessPlan;
  /** Timers that no delay puts where they fired. */
  readonly missed: number;
  /** What has to be late and is not held in a plain run, by API. */
  readonly unheld: readonly string[];
}

/** The plan of a failing run. */
export function solve(trace: Trace): Solved {
  const causes = causesOf(trace);
  const moments = momentsOf(trace, causes);
  let best: Solution | null = null;
  for (const margin of MARGINS) {
    const solution = relax(moments, margin);
    if (!best || solution.missed < best.missed) best = solution;
    if (best.missed === 0) break;
  }
  const { times, pauses, missed } = best as Solution;
  const plan = { requests: requestsOf(trace, causes, moments, times), pauses };
  return { plan, missed, unheld: unheldOf(trace, moments, times) };
}

const LETTERS: Readonly<Record<string, Kind>> = { E: 'effect', X: 'end' };

/** One moment for each step. */
function momentsOf(trace: Trace, causes: ReadonlyMap<number, number>): Moment[] {
  const ids = new Map(trace.requests.map(({ name }, id) => [name, id]));
  return trace.steps.map((step): Moment => {
    const request = ids.get(step.slice(2)) ?? -1;
    const asked = trace.requests[request];
    const kind = asked ? kindOf(step[0] as string, asked) : 'other';
    return { kind, request, cause: causes.get(request) ?? -1, delay: asked?.delay ?? 0 };
  });
}

function kindOf(letter: string, request: Request): Kind {
  const { kind } = request;
  if (kind === 'timer' || kind === 'immediate') return kind;
  return canBeLate(request) ? (LETTERS[letter] ?? 'deliver') : 'other';
}

/** What a plain run can hold back: all but watchers and what only Node's closures know. */
const canBeLate = ({ kind, api }: Request): boolean =>
  kind === 'pool'
    ? !/^fs\.(?:opendir|Dir\.)/.test(api)
    : kind === 'external' && /^(?:net|dns|WebAssembly|child_process|MessagePort)\b/.test(api);

/** For each request the step in whose turn it was issued. */
function causesOf({ events, requests, steps }: Trace): Map<number, number> {
  const deliveries = new Map(steps.map((step, at) => [step, at]));
  const causes = new Map<number, number>();
  let turn = -1;
  for (let i = 0; i < events.length; i++) {
    const request = events.object[i] as number;
    if (events.kind[i] === EventKind.Issue) causes.set(request, turn);
    else if (events.kind[i] === EventKind.Turn) turn = deliveries.get(`D:${requests[request]?.name}`) ?? turn;
  }
  return causes;
}

function relax(moments: readonly Moment[], margin: number): Solution {
  /** Earliest times that later steps ask for. */
  const least = moments.map(() => 0);
  const given = new Set<number>();
  for (let round = 0; ; round++) {
    const solution = walk(moments, margin, least, given, round < MOST_ROUNDS);
    if (solution) return solution;
  }
}

/**
 * One walk over the order. Null where something had to be put off: then `least` has changed. What cannot be
 * helped goes to `given` up, and the walk goes on.
 */
function walk(
  moments: readonly Moment[],
  margin: number,
  least: number[],
  given: Set<number>,
  mayChange: boolean,
): Solution | null {
  const times: number[] = [];
  const pauses: PlannedPause[] = [];
  let now = 0;
  for (const [at, moment] of moments.entries()) {
    const before = moments[at - 1];
    const { kind, cause, delay } = moment;
    const started = times[cause] ?? 0;
    const wanted = now + distance(before, moment, margin);
    if (kind === 'timer') {
      const due = started + Math.max(1, delay);
      const asked = least[at] as number;
      const inPhase =
        before?.kind === 'timer' && due <= now && !given.has(at) && comesNext(moments, times, at);
      if (due < wanted && !inPhase && !given.has(at)) {
        if (mayChange && putOff(moments, least, cause, wanted - Math.max(1, delay))) return null;
        given.add(at);
      }
      // It is late only where the process stands still.
      if (asked > due) pauses.push({ from: Math.max(now, due - 1), until: asked });
      now = Math.max(now, due, asked);
    } else if (kind === 'immediate') now = Math.max(now, started);
    else if (kind === 'other') now = Math.max(now, started + STEP_MS);
    else now = Math.max(wanted, started + STEP_MS, least[at] as number);
    times.push(now);
  }
  return { times, pauses, missed: given.size };
}

/** How much later than the step before a step has to be. */
function distance(before: Moment | undefined, { kind, request, cause }: Moment, margin: number): number {
  if (!before) return 0;
  if (kind === 'timer' || before.kind === 'timer')
    return kind === before.kind && cause === before.cause ? 0 : margin;
  if (kind === 'immediate' || kind === 'other') return 0;
  if (before.kind === 'immediate' || before.kind === 'other') return margin;
  return before.request === request && kind === 'deliver' ? 0 : STEP_MS;
}

/** Both timers are due in one timers phase: they fire by their expiry. */
function comesNext(moments: readonly Moment[], times: readonly number[], at: number): boolean {
  const due = (m: Moment): number => (times[m.cause] ?? 0) + Math.max(1, m.delay);
  const before = moments[at - 1] as Moment;
  const moment = moments[at] as Moment;
  return due(before) < due(moment) || (due(before) === due(moment) && before.cause <= moment.cause);
}

/** Makes a step happen at `time` or later, by what it goes back to if possible; false where nothing can. */
function putOff(moments: readonly Moment[], least: number[], step: number, time: number): boolean {
  const path: { at: number; time: number }[] = [];
  for (let at = step, then = time; at >= 0; ) {
    const { kind, cause, delay } = moments[at] as Moment;
    if (kind === 'other') break;
    if (kind !== 'immediate') path.push({ at, time: then });
    if (kind !== 'immediate' && kind !== 'timer') break;
    if (kind === 'timer') then -= Math.max(1, delay);
    at = cause;
  }
  const first = path.findLast(({ at, time }) => (least[at] as number) < time);
  if (first) least[first.at] = first.time;
  return first !== undefined;
}

/** What came late although nothing holds it. */
function unheldOf({ requests }: Trace, moments: readonly Moment[], times: readonly number[]): string[] {
  const late = moments.flatMap(({ kind, request, cause }, at) =>
    kind === 'other' && (times[at] as number) - (times[cause] ?? 0) > NATURAL_MS
      ? (requests[request]?.api ?? [])
      : [],
  );
  return [...new Set(late)];
}

function requestsOf(
  trace: Trace,
  causes: ReadonlyMap<number, number>,
  moments: readonly Moment[],
  times: readonly number[],
): PlannedRequest[] {
  const steps = new Map<
    number,
    { effects: PlannedStep[]; end: PlannedStep | null; deliver: PlannedStep | null }
  >();
  for (const [index, { kind, request }] of moments.entries()) {
    if (kind !== 'effect' && kind !== 'end' && kind !== 'deliver') continue;
    const own = steps.get(request) ?? { effects: [], end: null, deliver: null };
    steps.set(request, own);
    const step = { index, at: times[index] as number };
    if (kind === 'effect') own.effects.push(step);
    else own[kind] = step;
  }
  // What was still under way when the run was decided must not come before that, but what was taken back may.
  const never: PlannedStep = { index: moments.length, at: (times.at(-1) ?? 0) + STEP_MS };
  const names = new Map<string, number>();
  for (const { name } of trace.requests) names.set(name, (names.get(name) ?? 0) + 1);
  const wasTakenBack = ({ name, api }: Request): boolean =>
    (names.get(name) as number) > 1 || /^(?:crypto|dns|zlib|WebAssembly)\b/.test(api);
  return trace.requests.flatMap((request, id): PlannedRequest[] => {
    if (!canBeLate(request)) return [];
    const { effects = [], end = null, deliver = null } = steps.get(id) ?? {};
    const otherwise = wasTakenBack(request) ? AT_ONCE : never;
    const site = trace.sites[request.site];
    return [
      {
        api: request.api,
        what: request.what,
        site: site ? `${site.file}:${site.line}` : null,
        cause: causes.get(id) ?? -1,
        issued: times[causes.get(id) ?? -1] ?? 0,
        effects: effects.length > 0 || request.kind === 'external' ? effects : [otherwise],
        end,
        deliver: deliver ?? otherwise,
      },
    ];
  });
}
