/**
 * What naturally wakes up the activation that waits in vain in a run that hangs: the turn of another one that resolved its promise, sent
 * its event or gave it its permit. That may have come before anybody waited for it, come and not been heard, or never come.
 */
import { EventKind, type Request, type Trace, type TraceJob } from '../data/trace.ts';

export interface WakeUp {
  /** Activation of the failing run, and the site of the `await` at which it stands. */
  readonly waiter: number;
  readonly site: number;
  /** Of the observed run, from here on: the activation that wakes it up, and the last place that is known of the turn in which it does. */
  readonly waker: number;
  readonly wakerSite: number;
  /** The answer or timer that begins that turn; null: the beginning of the run. */
  readonly step: Request | null;
  /** `early`: it has come before the wait begins; `unheard`: it has come since then; `never`: it has not. */
  readonly when: 'early' | 'unheard' | 'never';
}

/** Who waits at the end of a run; where a function waits for one that it has called, only that one. */
export function waitersIn({ activations, suspended = [] }: Trace): NonNullable<Trace['suspended']> {
  const ids = new Set(suspended.map(({ activation }) => activation));
  const callers = new Set(
    activations.filter(({ id, joined }) => joined && ids.has(id)).map(({ parent }) => parent),
  );
  return suspended.filter(({ activation }) => !callers.has(activation));
}

/** Of the first that waits for another activation; null: each waits for the host itself, or it is not known. */
export function wakeUpOf(failing: Trace, natural: Trace): WakeUp | null {
  const { activations, suspended = [] } = failing;
  const waiting = new Set<string | undefined>(
    suspended.map(({ activation }) => activations[activation]?.path),
  );
  for (const { activation, site } of waitersIn(failing)) {
    const found = wakerOf(failing, natural, activation);
    // Who waits for another one that waits itself says nothing.
    if (found && !waiting.has(natural.activations[found.waker]?.path))
      return { waiter: activation, site, ...found };
  }
  return null;
}

function wakerOf(failing: Trace, natural: Trace, activation: number): Omit<WakeUp, 'waiter' | 'site'> | null {
  const waited = jobsOf(failing, failing.activations[activation]?.path);
  const next = jobsOf(natural, failing.activations[activation]?.path)[waited.length];
  const job = next && resolver(natural, next.condition);
  if (!job || job.activation === next.activation) return null;
  const path = natural.activations[job.activation]?.path;
  const nth = jobsOf(natural, path).indexOf(job);
  const here = jobsOf(failing, path)[nth];
  return {
    waker: job.activation,
    wakerSite: lastSiteOf(natural, job),
    step: turnOf(natural, job),
    when: !here
      ? 'never'
      : beginningIn(failing, here) < lastEventOf(failing, activation)
        ? 'early'
        : 'unheard',
  };
}

const jobsOf = ({ activations, jobs }: Trace, path: string | undefined): TraceJob[] =>
  jobs.filter(({ activation }) => path !== undefined && activations[activation]?.path === path);

/** The job that met a condition; null: the host did, or a lock, which are told by themselves. */
function resolver(trace: Trace, condition: number): TraceJob | null {
  const of = trace.conditions[condition];
  if (of?.kind === 'job') return trace.jobs[of.job] ?? null;
  if (of?.kind !== 'all' && of?.kind !== 'any') return null;
  const all = of.of.flatMap((one) => resolver(trace, one) ?? []);
  return all.sort((a, b) => b.id - a.id)[0] ?? null;
}

/** The step of the host in whose turn a job runs. */
function turnOf(trace: Trace, job: TraceJob): Request | null {
  const { kind, object } = trace.events;
  for (let event = beginningIn(trace, job); event >= 0; event--)
    if (kind[event] === EventKind.Turn) return trace.requests[object[event] as number] ?? null;
  return null;
}

const beginningIn = ({ events: { kind, length, object } }: Trace, { id }: TraceJob): number =>
  Array.from({ length }, (_, event) => event).find(
    (event) => kind[event] === EventKind.Job && object[event] === id,
  ) ?? length;

/** When an activation did something last; one that has done nothing was called then by the one that did. */
function lastEventOf({ activations, events }: Trace, activation: number): number {
  for (let at = activation; at >= 0; at = activations[at]?.parent ?? -1) {
    const last = events.activation.subarray(0, events.length).lastIndexOf(at);
    if (last >= 0) return last;
  }
  return -1;
}

/** Of its own turn, not of those that it calls. */
function lastSiteOf({ events }: Trace, { activation, id }: TraceJob): number {
  const { kind, length, object } = events;
  let site = -1;
  let isIn = false;
  for (let event = 0; event < length; event++) {
    if (kind[event] === EventKind.Job) {
      if (isIn) break;
      isIn = object[event] === id;
    } else if (isIn && events.activation[event] === activation && (events.site[event] as number) >= 0)
      site = events.site[event] as number;
  }
  return site;
}
