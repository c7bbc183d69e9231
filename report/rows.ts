/** Turns a recorded run into the rows of an order as people read it: host steps, and the three accesses. */
import type { AccessPoint, CutPoint } from '../data/prediction.ts';
import { isOfRuntime } from '../data/runtime-timers.ts';
import { isDelivery, isRelease, requestOf } from '../data/schedule-step.ts';
import type { Request, Trace } from '../data/trace.ts';
import { EventKind } from '../data/trace.ts';
import { taskName, taskPath } from '../predictor/task-name.ts';
import { waitersIn } from '../predictor/wake-up.ts';
import type { Calls } from './json.ts';
import { apart, place as placeText, stepPhrase } from './phrase.ts';
import type { LateAnswer, LockSpan, OrderTimeline, RequestSpan, Role, StepRow } from './view.ts';

/** Longer orders are cut to the steps of the tasks that the cut point names. */
const READABLE = 40;
/** What no cut point shortens ends here. */
const MOST_ROWS = 4 * READABLE;

/** A row, the path of its activation, and the event that it is. */
interface PlacedRow {
  readonly row: StepRow;
  readonly path: string;
  readonly event: number;
}

/** A name takes a walk over all activations: it is looked up once. */
export function taskNames(trace: Trace): (activation: number) => string {
  const names = new Map<number, string>();
  return (activation) => {
    const name = names.get(activation) ?? taskName(trace, activation);
    names.set(activation, name);
    return name;
  };
}

function allRows(trace: Trace, cutPoint: CutPoint | null): PlacedRow[] {
  const roles = cutPoint ? rolesIn(trace, cutPoint) : new Map<number, Role>();
  const taskOf = taskNames(trace);
  const rows: PlacedRow[] = [];
  const { events } = trace;
  for (let i = 0; i < events.length; i++) {
    const kind = events.kind[i];
    const role = roles.get(i);
    const isStep = kind === EventKind.Effect || kind === EventKind.Turn;
    if (!isStep && !role) continue;
    const activation = events.activation[i] as number;
    const path = trace.activations[activation]?.path ?? 'root';
    const task = taskOf(activation);
    const at = rows.length;
    if (isStep) {
      const request = trace.requests[events.object[i] as number];
      if (!request || isOfRuntime(request)) continue;
      const what = `${request.api} ${request.what}`.trim();
      const site = place(trace, request.site);
      const [letter, of] =
        kind === EventKind.Effect ? (['E', 'effect'] as const) : (['D', 'deliver'] as const);
      const row = { task, what, site, kind: of, at, name: `${letter}:${request.name}` } as const;
      rows.push({ row, path, event: i });
    } else if (role) {
      const site = trace.sites[events.site[i] as number];
      const what = site?.text ?? cutPoint?.entity ?? '';
      const placed = { task, what, site: place(trace, events.site[i] as number) };
      const row = {
        ...placed,
        kind: 'access',
        role,
        at,
        name: `${kind}:${path} ${site?.line}:${site?.column}`,
      } as const;
      rows.push({ row, path, event: i });
    }
  }
  return rows;
}

/**
 * A failing order as people read it, and the natural one to compare it with: without what the failing one has and does not show, and
 * whole where all is shown, so that nothing seems to come in one of them only. `failing` is null where it was not recorded.
 */
export function ordersOf(
  natural: Trace,
  failing: Trace | null,
  cutPoint: CutPoint | null,
): { natural: StepRow[]; failing: StepRow[] } {
  const usual = allRows(natural, cutPoint).map(({ row }) => row);
  const rows = failing ? allRows(failing, cutPoint) : [];
  if (!failing || !cutPoint || rows.length <= READABLE)
    return { natural: usual, failing: rows.map(({ row }) => row).slice(0, MOST_ROWS) };
  const named = [cutPoint.transaction, operation(failing, cutPoint.remote.path)];
  const isShown = ({ row, path }: PlacedRow): boolean =>
    row.role !== undefined || named.some((n) => path.startsWith(n));
  const shown = rows.filter(isShown).map(({ row }) => row);
  const tasks = new Set(shown.map(({ task }) => task));
  const hidden = new Set(rows.filter((row) => !isShown(row)).map(({ row }) => row.name));
  return { natural: usual.filter(({ name, task }) => tasks.has(task) && !hidden.has(name)), failing: shown };
}

/** Steps as rows, by the requests of the observed run: what was planned, or what a run did that nobody recorded. */
export function rowsOfSteps(trace: Trace, steps: readonly string[]): StepRow[] {
  const byName = new Map(trace.requests.map((request) => [request.name, request]));
  const taskOf = taskNames(trace);
  return steps.flatMap((step) => {
    const request = byName.get(requestOf(step));
    if (!request || isRelease(step) || isOfRuntime(request)) return [];
    return {
      task: taskOf(request.activation),
      what: `${request.api} ${request.what}`.trim(),
      site: place(trace, request.site),
      kind: isDelivery(step) ? ('deliver' as const) : ('effect' as const),
      name: step,
    };
  });
}

/** Longer orders are kept at both ends and around the accesses. */
const KEPT_ENDS = 150;
const KEPT_AROUND = 60;

/** The order of a run with its requests and locks. */
export function timelineOf(trace: Trace, cutPoint: CutPoint | null): OrderTimeline {
  const all = allRows(trace, cutPoint);
  const shown = all.flatMap(({ row }, at) => (row.role ? [at] : []));
  const isKept = (at: number): boolean =>
    at < KEPT_ENDS ||
    at >= all.length - KEPT_ENDS ||
    shown.some((role) => Math.abs(role - at) <= KEPT_AROUND);
  const kept = new Set(all.flatMap((_, at) => (isKept(at) ? [at] : [])));
  const { requests, locks } = spansIn(trace, all);
  return {
    rows: all.filter((_, at) => kept.has(at)).map(({ row }) => row),
    total: all.length,
    requests: requests.filter(({ effect, delivered }) => kept.has(effect ?? -1) || kept.has(delivered ?? -1)),
    locks: locks
      .filter(({ from, to }) => kept.has(from) || (to !== null && kept.has(to)))
      .slice(0, KEPT_ENDS),
  };
}

function spansIn(trace: Trace, all: readonly PlacedRow[]): { requests: RequestSpan[]; locks: LockSpan[] } {
  const { events } = trace;
  const requests = new Map<
    number,
    { task: string; issued: number; effect: number | null; delivered: number | null }
  >();
  const held = new Map<number, { task: string; name: string; from: number; to: number | null }>();
  const locks: { task: string; name: string; from: number; to: number | null }[] = [];
  let next = 0;
  for (let i = 0; i < events.length; i++) {
    const row = all[next]?.event === i ? all[next++]!.row : null;
    const kind = events.kind[i];
    const object = events.object[i] as number;
    const now = next - 1;
    if (kind === EventKind.Issue) {
      const request = trace.requests[object];
      if (request && !isOfRuntime(request))
        requests.set(object, { task: '', issued: now, effect: null, delivered: null });
    } else if (row && (kind === EventKind.Effect || kind === EventKind.Turn)) {
      const span = requests.get(object) ?? { task: '', issued: -1, effect: null, delivered: null };
      span.task = row.task;
      if (kind === EventKind.Effect) span.effect ??= now;
      else span.delivered ??= now;
      requests.set(object, span);
    } else if (kind === EventKind.Acquire || kind === EventKind.Release) {
      const activation = events.activation[i] as number;
      const lock = held.get(object);
      if (lock) lock.to = now;
      held.delete(object);
      if (kind === EventKind.Release) continue;
      const span = {
        task: taskName(trace, activation),
        name: trace.locks[object]?.name ?? '',
        from: now,
        to: null,
      };
      held.set(object, span);
      locks.push(span);
    }
  }
  return { requests: [...requests.values()], locks };
}

/** Requests that have to be late, without the timers of the runtime; timers with the place where they are set. */
export function lateAnswers(traces: readonly Trace[], late: readonly LateAnswer[]): LateAnswer[] {
  return late.flatMap((answer) => {
    const alike = traces.flatMap((trace) =>
      trace.requests
        .filter(({ kind, api, what }) => kind === 'timer' && api === answer.api && what === answer.what)
        .map((request) => ({ request, at: place(trace, request.site) })),
    );
    if (alike.length === 0) return [answer];
    const own = alike.filter(({ request }) => !isOfRuntime(request));
    const at = own[0]?.at;
    return own.length === 0 ? [] : [at ? { ...answer, at } : answer];
  });
}

/** Steps by their stable names, in words: `bob: fs.appendFile audit.log answers`. */
export function stepsInWords(traces: readonly Trace[], ...steps: readonly string[]): string[] {
  return apart(
    steps.map((step) => {
      const found = askedBy(traces, step);
      const site = found ? place(found.trace, found.request.site) : null;
      return { text: inWords(step, found), site };
    }),
  );
}

function inWords(step: string, found: ReturnType<typeof askedBy>): string {
  if (!found) return step;
  const { trace, request } = found;
  const kind = isDelivery(step) ? 'deliver' : 'effect';
  const site = place(trace, request.site);
  const task = taskName(trace, request.activation);
  return `${task}: ${stepPhrase({ what: `${request.api} ${request.what}`.trim(), site, kind })}`;
}

/** Where in the source the request of a step was made, and what it is: `setTimeout 100 ms`. */
export function placeOfStep(traces: readonly Trace[], step: string): StepRow['site'] {
  const found = askedBy(traces, step);
  return found ? place(found.trace, found.request.site) : null;
}

export function whatOfStep(traces: readonly Trace[], step: string): string | null {
  const found = askedBy(traces, step);
  return found && `${found.request.api} ${found.request.what}`.trim();
}

/** The task that a step belongs to; of an unknown one the step itself. */
export function taskOfStep(traces: readonly Trace[], step: string): string {
  const found = askedBy(traces, step);
  return found ? taskName(found.trace, found.request.activation) : step;
}

function askedBy(traces: readonly Trace[], step: string): { trace: Trace; request: Request } | null {
  const name = requestOf(step);
  for (const trace of traces) {
    const request = byName(trace).get(name);
    if (request) return { trace, request };
  }
  return null;
}

const requestsByName = new WeakMap<Trace, ReadonlyMap<string, Request>>();

/** Of several of one name the first. */
function byName(trace: Trace): ReadonlyMap<string, Request> {
  let known = requestsByName.get(trace);
  if (!known) {
    known = new Map(trace.requests.toReversed().map((request) => [request.name, request]));
    requestsByName.set(trace, known);
  }
  return known;
}

/** Lines of {@link waitsIn}. */
const MOST_WAITS = 8;

/** Who waits at which `await` at the end of a run. */
export function waitsIn(trace: Trace): string[] {
  const lines = waitersIn(trace).flatMap(({ activation, site }) => {
    const at = trace.sites[site];
    return at ? [`${callWithTask(trace, activation)} waits at ${placeText(at)}: ${at.text}`] : [];
  });
  return lines.slice(0, MOST_WAITS);
}

/** A function with its task, where it is not the task itself. */
export function callWithTask(trace: Trace, activation: number): string {
  const { kind, name } = trace.activations[activation]!;
  const task = taskName(trace, activation);
  return kind === 'root' || name === '' || name === task ? task : `${name} of ${task}`;
}

/** Where the accesses of a cut point were called from in a run that explains a failure. */
export function callsIn(trace: Trace, cutPoint: CutPoint): Calls {
  return Object.fromEntries(
    [...rolesIn(trace, cutPoint)].map(([event, role]) => [role, trace.callers?.get(event)]),
  );
}

/** Events that play the three roles: in the wanted order where the run shows it, else each for itself. */
function rolesIn(trace: Trace, cutPoint: CutPoint): Map<number, Role> {
  const points: [Role, AccessPoint][] = [
    ['first', cutPoint.first],
    ['remote', cutPoint.remote],
    ['second', cutPoint.second],
  ];
  const entityOf = (role: Role): string =>
    (role === 'second' ? cutPoint.other?.entity : null) ?? cutPoint.entity;
  const matches = points.map(([role, point]) => [role, matching(trace, entityOf(role), point)] as const);
  const [first, remote, second] = matches.map(([, list]) => list) as [number[], number[], number[]];
  for (const e1 of first)
    for (const f of remote) {
      const e2 = second.find((e) => e > f);
      if (e1 < f && e2 !== undefined)
        return new Map([
          [e1, 'first'],
          [f, 'remote'],
          [e2, 'second'],
        ]);
    }
  const roles = new Map<number, Role>();
  for (const [role, list] of matches) {
    const free = list.find((e) => !roles.has(e));
    if (free !== undefined) roles.set(free, role);
  }
  return roles;
}

function matching(trace: Trace, entity: string, point: AccessPoint): number[] {
  const { events } = trace;
  const out: number[] = [];
  const wanted = point.access === 'write' ? EventKind.Write : EventKind.Read;
  for (let i = 0; i < events.length; i++) {
    if (events.kind[i] !== wanted || trace.entities[events.object[i] as number]?.name !== entity) continue;
    if (trace.activations[events.activation[i] as number]?.path !== point.path) continue;
    const site = trace.sites[events.site[i] as number];
    if (site && `${site.file}:${site.line}:${site.column}` === point.at) out.push(i);
  }
  return out;
}

function operation(trace: Trace, path: string): string {
  const found = trace.activations.find((a) => a.path === path);
  return found ? taskPath(trace, found.id) : path.split('.').slice(0, 2).join('.');
}

function place(trace: Trace, site: number): StepRow['site'] {
  const found = trace.sites[site];
  return found ? { file: found.file, line: found.line, column: found.column } : null;
}
