/**
 * The plan by which plain Node takes a failing order: which answer comes when, and where the process stands still.
 */
import type { Trace } from '../../data/trace.ts';
import {
  canBeLate,
  causesOf,
  hasSeenEffects,
  type Moment,
  momentsOf,
  silentTimersOf,
  turnBefore,
  withinOf,
  withoutUnseen,
} from './moments.ts';
import type {
  PlannedAlarm,
  PlannedPause,
  PlannedRequest,
  PlannedRound,
  PlannedStep,
  PlannedStretch,
  WitnessPlan,
} from './plan.ts';
import { Starts } from './starts.ts';
import { type LoopStretch, stretchesOf, waitsOf } from './stretches.ts';
import { STEP_MS, type Times, timesOf } from './times.ts';

/** What is not held comes at its own time: later than this after it was asked for, ms, is no accident. */
const NATURAL_MS = 5;
/**
 * The process stands still so long before the first timer is due that is to be late or to fire with others, ms; and at
 * least for half of the distance to what comes before, as long as nothing else has to happen in that time.
 */
const LEAD_MS = 2;
const leadOf = ({ margin }: Times): number => Math.max(LEAD_MS, margin / 2);

/**
 * It stands still until a timer has been due for this share of the distance to what comes next: the turn that started
 * it took its time. At least for what the clock of Node's timers, which knows whole ms, may be behind.
 */
const SURE = 0.25;
const COARSE_MS = 1.2;

/** Before everything that waits. */
const AT_ONCE: PlannedStep = { index: -1, at: 0 };

export interface Solved {
  readonly plan: WitnessPlan;
  /** Timers that no delay puts where they fired. */
  readonly missed: number;
  /** How far timers are from their neighbours, ms. */
  readonly margin: number;
  /** What has to be late and is not held in a plain run, by API. */
  readonly unheld: readonly string[];
}

/** The plan of a failing run. `spread`: by how much longer than usual everything may take on this machine. */
export function solve(recorded: Trace, spread = 1): Solved {
  const trace = withoutUnseen(recorded);
  const causes = causesOf(trace);
  const moments = momentsOf(trace, causes);
  const stretches = stretchesOf(moments, waitsOf(moments));
  const starts = new Starts(trace, causes);
  const silent = silentTimersOf(trace, causes, moments);
  const times = timesOf(moments, silent, stretches, starts, spread);
  const plan = {
    requests: requestsOf(trace, causes, moments, times, starts),
    stretches: plannedStretches(moments, stretches, times, starts),
    pauses: pausesOf(times, starts),
  };
  return { plan, missed: times.missed, margin: times.margin, unheld: unheldOf(trace, moments, times.of) };
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

/** The stretches that do not come by themselves, and pauses before timers that are late. */
function plannedStretches(
  moments: readonly Moment[],
  stretches: readonly LoopStretch[],
  times: Times,
  starts: Starts,
): PlannedStretch[] {
  const planned = stretches.flatMap((stretch) => plannedStretch(moments, stretch, times, starts) ?? []);
  for (const [first, last] of times.batches) {
    const steps = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const rounds = [{ until: null, early: [], ...answersOf(moments, steps, []) }];
    planned.push({ index: first, at: times.of[first] as number, stands: false, rounds });
  }
  const heads = new Set(planned.map(({ index }) => index));
  for (const at of times.late) {
    if (heads.has(at)) continue;
    const due = times.due[at] as number;
    const until = (times.of[at] as number) + sure(times);
    const rounds = [{ until, early: [], answers: [], heads: [] }];
    const begin = Math.max(times.of[at - 1] ?? 0, due - leadOf(times));
    const together = [at];
    while (fireTogether(moments, times, at + together.length)) together.push(at + together.length);
    for (const timer of together) heads.add(timer);
    const alarms = alarmsOf(moments, together, times, starts, begin, until);
    planned.push({ index: at, at: begin, stands: true, alarms, rounds });
  }
  return planned.sort((a, b) => a.index - b.index);
}

function plannedStretch(
  moments: readonly Moment[],
  { head, rounds }: LoopStretch,
  solved: Times,
  starts: Starts,
): PlannedStretch | null {
  const times = solved.of;
  const kind = moments[head]?.kind;
  if (kind === 'other') return null;
  const stands = kind === 'timer';
  const due = (at: number): number => solved.due[at] as number;
  const [first = [], ...later] = rounds;
  let index = head;
  if (stands) while (fireTogether(moments, solved, index)) index--;
  const own = stands ? [...Array.from({ length: head - index }, (_, i) => index + i), ...first] : first;
  const timers = (steps: readonly number[]) => steps.filter((at) => moments[at]?.kind === 'timer');
  const at = stands
    ? Math.max(times[index - 1] ?? 0, Math.min(...timers(own).map(due)) - leadOf(solved))
    : (times[head] ?? 0);
  let end = at;
  const left: number[] = [];
  const all = [own, ...later].map((steps, round): PlannedRound => {
    const until = Math.max(...awaited(moments, steps).map((step) => times[step] as number), end);
    const isLate = until > end && (stands || head < 0 || round > 0);
    end = Math.max(end, ...steps.map((step) => times[step] as number));
    const early = left.length > 0 ? [] : earlyOf(moments, steps);
    return { until: isLate ? until + sure(solved) : null, early, ...answersOf(moments, steps, left) };
  });
  while (all.length > 0 && isNothing(all.at(-1) as PlannedRound)) all.pop();
  const [begin] = all;
  if (!begin) return null;
  const isNatural =
    all.length === 1 && head >= 0 && begin.answers.length === (stands ? 0 : 1) && begin.heads.length === 0;
  if (isNatural && new Set(timers(own).map((step) => `${moments[step]!.cause} ${due(step)}`)).size <= 1)
    return null;
  const alarms = stands && alarmsOf(moments, timers(own), solved, starts, at, begin.until ?? at);
  return { index, at, stands, alarms: alarms || undefined, rounds: all };
}

/** The beginning and the end of a pause before timers, told by those that are due first and last. */
function alarmsOf(
  moments: readonly Moment[],
  timers: readonly number[],
  times: Times,
  starts: Starts,
  begin: number,
  end: number,
): PlannedStretch['alarms'] {
  const byDue = timers.toSorted((a, b) => (times.due[a] as number) - (times.due[b] as number));
  const alarm = (at: number | undefined, ms: number): PlannedAlarm | null => {
    const request = moments[at ?? -1]?.request ?? -1;
    const [place, started] = [starts.placeOf(request), times.starts.get(request)];
    return place && started !== undefined ? { ...place, behind: ms - started } : null;
  };
  const [first, last] = [alarm(byDue[0], begin), alarm(byDue.at(-1), end)];
  return first && last ? { begin: first, end: last } : undefined;
}

const sure = ({ margin }: Times): number => Math.max(COARSE_MS, margin * SURE);

const isNothing = ({ until, answers, heads }: PlannedRound): boolean =>
  until === null && answers.length === 0 && heads.length === 0;

/** A timer that fires in the same timers phase as the timer before. */
function fireTogether(moments: readonly Moment[], { of, due }: Times, at: number): boolean {
  return moments[at - 1]?.kind === 'timer' && (due[at] as number) - LEAD_MS < (of[at - 1] as number);
}

/** Where the process stands still within a turn. */
function pausesOf({ paused, starts: at }: Times, starts: Starts): PlannedPause[] {
  return paused.flatMap((timer) => {
    const place = starts.placeOf(timer);
    return place ? [{ ...place, until: at.get(timer) as number }] : [];
  });
}

/** What a round stands still for: its timers, and the first of its answers. What its turns wait for they wait for by themselves. */
function awaited(moments: readonly Moment[], steps: readonly number[]): number[] {
  const kinds = steps.map((at) => moments[at]!.kind);
  const first = kinds.findIndex((kind) => kind === 'effect' || kind === 'end' || kind === 'deliver');
  return steps.filter((_, i) => kinds[i] === 'timer' || i === first);
}

/** See {@link PlannedRound.early}: the turn that asked is the last one before. */
function earlyOf(moments: readonly Moment[], steps: readonly number[]): number[] {
  const early: number[] = [];
  for (const at of steps) {
    const { kind, cause } = moments[at]!;
    if (kind === 'timer') continue;
    if (kind !== 'effect' || cause !== turnBefore(moments, at)) break;
    early.push(at);
  }
  return early;
}

/** The steps of each answer of a round. `left`: effects that no answer of an earlier round has brought. */
function answersOf(
  moments: readonly Moment[],
  steps: readonly number[],
  left: number[],
): Pick<PlannedRound, 'answers' | 'heads'> {
  const answers: number[][] = [];
  const heads: number[] = [];
  for (const at of steps) {
    const { kind, putOff } = moments[at] as Moment;
    if (putOff) heads.push(at);
    else if (kind === 'effect' || kind === 'end' || kind === 'deliver') left.push(at);
    if (kind === 'deliver' && !putOff) answers.push(left.splice(0));
  }
  return { answers, heads };
}

function requestsOf(
  trace: Trace,
  causes: ReadonlyMap<number, number>,
  moments: readonly Moment[],
  { of: times, starts: started }: Times,
  starts: Starts,
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
  // What was still under way when the run was decided must not come before that, but work that was taken back may.
  const never: PlannedStep = { index: moments.length, at: (times.at(-1) ?? 0) + STEP_MS };
  const within = withinOf(trace);
  const firstEffect = (id: number) => steps.get(id)?.effects[0]?.index ?? [];
  return trace.requests.flatMap((request, id): PlannedRequest[] => {
    if (!canBeLate(request)) return [];
    const { effects = [], end = null, deliver = null } = steps.get(id) ?? {};
    const otherwise = request.takenBack >= 0 && request.kind === 'pool' ? AT_ONCE : never;
    const site = trace.sites[request.site];
    const isSeen = hasSeenEffects(request);
    return [
      {
        api: request.api,
        what: request.what,
        site: site ? `${site.file}:${site.line}` : null,
        cause: causes.get(id) ?? -1,
        issued: started.get(starts.behind.get(id) ?? -1) ?? times[causes.get(id) ?? -1] ?? 0,
        effects: effects.length > 0 || !isSeen ? effects : [otherwise],
        end,
        deliver: deliver ?? otherwise,
        within: within.get(id)?.flatMap(firstEffect),
      },
    ];
  });
}
