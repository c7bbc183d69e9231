/** Where the debugger stops in a failing order: at the accesses that explain it, each as it was recorded there. */
import type { ReportAccess, ReportBug } from '../../data/report.ts';
import { EventKind, type Trace } from '../../data/trace.ts';
import { accessPoint } from '../../predictor/cut-point.ts';
import { MARKS } from '../../report/ink.ts';
import { place } from '../../report/phrase.ts';
import type { StopPoint } from '../../rescheduler/subjects/stops.ts';

/** A point, and what is told of it. */
export interface ToldStop {
  readonly point: StopPoint;
  readonly told: string;
}

/** Those of the bug that the order comes to, in the order in which its code passes them. */
export function stopsOf(failing: Trace, bug: ReportBug): ToldStop[] {
  const roles = (['first', 'remote', 'second'] as const).flatMap((role) => {
    const access = bug[role];
    const entity = (role === 'second' ? bug.other?.entity : null) ?? bug.entity;
    return access ? [{ mark: MARKS[role], access, entity }] : [];
  });
  const events = eventsOf(failing, roles);
  const stops = events.map((event, i) => {
    const { access, mark } = roles[i]!;
    const { passed, point } = pointOf(failing, event);
    const asked = point.access === null ? ' (the call that asks for it: it takes effect later)' : '';
    return { passed, point, told: `${mark} ${access.task} ${access.access}s at ${place(access)}${asked}` };
  });
  return stops.toSorted((a, b) => a.passed - b.passed);
}

interface ToldAccess {
  readonly access: ReportAccess;
  readonly entity: string | null;
}

/** The events of these accesses: those to one entity to one object, one behind the other, and as near to each other as they come. */
function eventsOf(trace: Trace, accesses: readonly ToldAccess[]): number[] {
  const { kind, length, object } = trace.events;
  const like = accesses.map(({ access, entity }) => {
    const of = access.access === 'write' ? EventKind.Write : EventKind.Read;
    const found: number[] = [];
    for (let event = 0; event < length; event++) {
      if (kind[event] !== of || (entity !== null && trace.entities[object[event]!]?.name !== entity))
        continue;
      const { at, task } = accessPoint(trace, event);
      if (at === place(access) && task === access.task) found.push(event);
    }
    return found;
  });
  let best: number[] = [];
  for (const last of like.at(-1) ?? []) {
    const chain = [last];
    for (let role = accesses.length - 2; role >= 0; role--) {
      const isOther = accesses[role]!.entity !== accesses.at(-1)!.entity;
      const fits = (event: number): boolean => isOther || object[event] === object[last];
      const before = like[role]!.findLast((event) => event < chain[0]! && fits(event));
      if (before === undefined) break;
      chain.unshift(before);
    }
    const isNearer = chain.length > best.length || last - chain[0]! < best.at(-1)! - best[0]!;
    if (chain.length === accesses.length && isNearer) best = chain;
  }
  // An order that fails before its last access: what comes before that is there.
  if (best.length > 0 || accesses.length < 2) return best;
  return eventsOf(trace, accesses.slice(0, -1));
}

/**
 * How often the activation has passed the point before, be it for another object, and the event with which it does. What the host
 * does was asked for by a call, of which the first request tells.
 */
function pointOf(trace: Trace, event: number): { point: StopPoint; passed: number } {
  const { events, requests } = trace;
  const { access, at, path, request } = accessPoint(trace, event);
  if (request !== null) {
    const asked = requests.find(({ name }) => name === request)!;
    const alike = requests.filter(
      ({ activation, id, site }) => activation === asked.activation && site === asked.site && id <= asked.id,
    );
    const calls = alike.filter(({ api }) => api === alike[0]!.api);
    const passed = events.kind.findIndex(
      (kind, i) => kind === EventKind.Issue && events.object[i] === calls.at(-1)!.id,
    );
    const own = trace.activations[asked.activation]?.path ?? path;
    return { point: { at, access: null, path: own, nth: calls.length - 1 }, passed };
  }
  let nth = 0;
  for (let before = 0; before < event; before++)
    if (
      events.site[before] === events.site[event] &&
      events.activation[before] === events.activation[event] &&
      events.kind[before] === events.kind[event]
    )
      nth += 1;
  return { point: { at, access, path, nth }, passed: event };
}
