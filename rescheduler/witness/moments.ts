/** The steps of a failing order as a plain run sees them: what comes by itself, and what can be late. */
import { deliveryOf, effectOf, loopStepOf, requestOf } from '../../data/schedule-step.ts';
import { EventKind, type Request, type Trace } from '../../data/trace.ts';
import { familyOf, isFileOperation } from './families.ts';

type MomentKind = 'effect' | 'end' | 'deliver' | 'timer' | 'immediate' | 'close' | 'other';

export interface Moment {
  readonly kind: MomentKind;
  /** Index of the request; -1 where nothing is known of it. */
  readonly request: number;
  /** The moment in whose turn the request was issued; -1: the first turn. */
  readonly cause: number;
  /** Node delivers it at the beginning of the check phase. */
  readonly putOff: boolean;
  /** Of a timer, ms. */
  readonly delay: number;
}

/** A timer that does not fire. */
export interface SilentTimer extends Moment {
  /** The moment in whose turn it is taken back, or the last one: it must not be due before that. */
  readonly until: number;
}

/** One moment for each step. */
export function momentsOf(trace: Trace, causes: ReadonlyMap<number, number>): Moment[] {
  const ids = new Map(trace.requests.map(({ name }, id) => [name, id]));
  return trace.steps.map((step): Moment => {
    const request = ids.get(requestOf(step)) ?? -1;
    const asked = trace.requests[request];
    const kind = asked ? kindOf(step, asked) : 'other';
    const delay = asked?.kind === 'timer' ? Math.max(1, asked.delay) : 0;
    const putOff = asked !== undefined && kind === 'deliver' && isPutOff(asked);
    return { kind, request, cause: causes.get(request) ?? -1, putOff, delay };
  });
}

function kindOf(step: string, request: Request): MomentKind {
  const { kind } = request;
  if (kind === 'timer' || kind === 'immediate' || kind === 'close') return kind;
  if (!canBeLate(request)) return 'other';
  const op = loopStepOf(step)?.op ?? 'deliver';
  return op === 'release' ? 'end' : op;
}

/** What a plain run can hold back. */
export const canBeLate = ({ kind, api }: Request): boolean =>
  kind === 'pool' || (kind === 'external' && familyOf(api) !== null);

const isPutOff = ({ kind, api }: Request): boolean => kind === 'external' && familyOf(api)?.isPutOff === true;

/** Others can see what it does before it is answered. */
export const hasSeenEffects = ({ kind, api }: Request): boolean => kind === 'pool' && isFileOperation(api);

/** The trace without the effects that nobody sees: they may happen at any time, so that nothing has to wait for them. */
export function withoutUnseen(trace: Trace): Trace {
  const unseen = new Set(
    trace.requests.filter((request) => !hasSeenEffects(request)).map(({ name }) => effectOf(name)),
  );
  return { ...trace, steps: trace.steps.filter((step) => !unseen.has(step)) };
}

/** For each request the step in whose turn it was issued. */
export function causesOf(trace: Trace): Map<number, number> {
  const { kind, object, length } = trace.events;
  const turns = turnsOf(trace);
  const causes = new Map<number, number>();
  for (let i = 0; i < length; i++)
    if (kind[i] === EventKind.Issue) causes.set(object[i] as number, turns[i] as number);
  return causes;
}

/** The timers that were taken back in another turn, and those that were still to come in the end. */
export function silentTimersOf(
  trace: Trace,
  causes: ReadonlyMap<number, number>,
  moments: readonly Moment[],
): SilentTimer[] {
  const turns = turnsOf(trace);
  const told = new Set(moments.map(({ request }) => request));
  return trace.requests.flatMap(({ id, kind, delay, takenBack }) => {
    if (kind !== 'timer' || told.has(id)) return [];
    const cause = causes.get(id) ?? -1;
    const until = takenBack < 0 ? moments.length - 1 : (turns[takenBack - 1] ?? -1);
    if (until <= cause) return [];
    return [{ kind, request: id, cause, putOff: false, delay: Math.max(1, delay), until }];
  });
}

/**
 * What takes effect within the turn that issues it, before that goes on: the requests, by the one that was issued last
 * then.
 */
export function withinOf({ events: { kind, object, length }, requests }: Trace): Map<number, number[]> {
  const within = new Map<number, number[]>();
  let issued = -1;
  let latest: number[] = [];
  for (let i = 0; i < length; i++) {
    const request = object[i] as number;
    if (kind[i] === EventKind.Effect) latest.push(request);
    // News are issued when they come, which is no step of the turn.
    const isNews = requests[request]?.kind === 'external';
    const goesOn = (kind[i] === EventKind.Issue && !isNews) || kind[i] === EventKind.Job;
    if (goesOn && latest.length > 0) within.set(issued, [...(within.get(issued) ?? []), ...latest]);
    if (goesOn || kind[i] === EventKind.Turn) latest = [];
    if (kind[i] === EventKind.Turn) issued = -1;
    else if (kind[i] === EventKind.Issue && canBeLate(requests[request] as Request)) issued = request;
  }
  return within;
}

/** The step before in whose turn the program runs: the kernel may do its part at other times in the round. */
export function turnBefore(moments: readonly Moment[], at: number): number {
  let before = at - 1;
  while (moments[before]?.kind === 'effect' || moments[before]?.kind === 'end') before--;
  return before;
}

/** For each event the step in whose turn it happened; -1: the first one. */
function turnsOf({ events, requests, steps }: Trace): Int32Array {
  const deliveries = new Map(steps.map((step, at) => [step, at]));
  let turn = -1;
  return Int32Array.from({ length: events.length }, (_, i) => {
    if (events.kind[i] === EventKind.Turn)
      turn = deliveries.get(deliveryOf(requests[events.object[i] as number]?.name ?? '')) ?? turn;
    return turn;
  });
}
