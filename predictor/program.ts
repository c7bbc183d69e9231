/**
 * A recorded run as a program that can be replayed in another order: jobs with their events and
 * conditions, requests with their effects. Everything downstream works on this, not on raw columns.
 */
import type { Condition, Request, RequestKind, Trace } from '../data/trace.ts';
import { EventKind } from '../data/trace.ts';

export interface ProgramJob {
  readonly id: number;
  readonly activation: number;
  /** Index into `conditions`. */
  readonly condition: number;
  /** Events of this job, in order: accesses, locks, issues. */
  readonly events: number[];
  /** The job of the same activation that must have run before; -1 for its first. */
  readonly previous: number;
}

export interface ProgramRequest {
  readonly id: number;
  readonly kind: RequestKind;
  readonly name: string;
  readonly delay: number;
  readonly ref: boolean;
  /** For each effect moment, the access events that belong to it. */
  readonly effects: number[][];
  /** Job that issued it; -1 when it was issued before anything ran. */
  issuedBy: number;
  /** Whether it was delivered in the observed run (a cleared timer was not). */
  delivered: boolean;
  /** See {@link Request.behind}. */
  readonly behind: number;
}

export interface Program {
  readonly trace: Trace;
  readonly jobs: readonly ProgramJob[];
  readonly requests: readonly ProgramRequest[];
  readonly conditions: readonly Condition[];
  /** For each lock condition, the job that asked for the lock. */
  readonly askedBy: ReadonlyMap<number, number>;
  /** Node of the causal graph to which each event belongs: a job, or `jobs.length` + request; -1: none. */
  readonly nodeOf: Int32Array;
  /** Position of each step name in the observed order. */
  readonly observed: ReadonlyMap<string, readonly number[]>;
}

/** Reads the columns once and groups events by job and effect. */
export function buildProgram(trace: Trace): Program {
  const { events } = trace;
  const conditions: Condition[] = [...trace.conditions];
  const jobs: ProgramJob[] = [];
  const requests: ProgramRequest[] = trace.requests.map((r) => ({
    id: r.id,
    kind: r.kind,
    name: r.name,
    delay: r.delay,
    ref: r.ref,
    effects: [],
    issuedBy: -1,
    delivered: false,
    behind: r.behind,
  }));
  const jobIndex = new Map<number, number>();
  const lastJobOf = new Map<number, number>();
  const askedBy = new Map<number, number>();
  const owner = new Int32Array(events.length).fill(-1);
  /** The job behind each event; -1: none of its turn has begun. */
  const place = new Int32Array(events.length).fill(-1);
  let job = -1;
  let effectOf = -1;
  let turn = -1;

  const openJob = (activation: number, condition: number): number => {
    const id = jobs.length;
    jobs.push({ id, activation, condition, events: [], previous: lastJobOf.get(activation) ?? -1 });
    lastJobOf.set(activation, id);
    return id;
  };

  /** The job that ran at a time before `now`, or the first one of that turn behind it; -1: there is none. */
  const jobSince = (time: number, now: number): number => {
    if (time < 0 || time > now) return -1;
    if (time > 0 && place[time - 1]! >= 0) return place[time - 1]!;
    for (let i = time; i < now && events.kind[i] !== EventKind.Turn; i++)
      if (place[i]! >= 0) return place[i]!;
    return -1;
  };

  for (let i = 0; i < events.length; i++) {
    if (i > 0) place[i - 1] = job;
    const kind = events.kind[i];
    const object = events.object[i] as number;
    const activation = events.activation[i] as number;
    if (kind === EventKind.Turn) {
      turn = object;
      job = -1;
      effectOf = -1;
      const request = requests[object];
      if (request) request.delivered = true;
      continue;
    }
    if (kind === EventKind.Job) {
      const recorded = trace.jobs[object];
      if (!recorded) continue;
      effectOf = -1;
      job = openJob(recorded.activation, recorded.condition);
      jobIndex.set(recorded.id, job);
      continue;
    }
    if (kind === EventKind.Effect) {
      effectOf = object;
      requests[object]?.effects.push([]);
      continue;
    }
    const access = kind === EventKind.Read || kind === EventKind.Write;
    if (effectOf >= 0 && access) {
      requests[effectOf]?.effects.at(-1)?.push(i);
      owner[i] = -2 - effectOf;
      continue;
    }
    effectOf = -1;
    if (kind === EventKind.Issue) {
      // What another process brings comes between turns, and follows from none that ran meanwhile.
      const since = jobSince(trace.requests[object]?.since ?? -1, i);
      if (since >= 0) {
        (jobs[since] as ProgramJob).events.push(i);
        owner[i] = since;
        (requests[object] as ProgramRequest).issuedBy = since;
        continue;
      }
    }
    if (job < 0) {
      // Code without a frame of its own: it follows from whatever was delivered last.
      const condition =
        conditions.push(turn < 0 ? { kind: 'start' } : { kind: 'delivery', request: turn }) - 1;
      job = openJob(activation, condition);
    }
    (jobs[job] as ProgramJob).events.push(i);
    owner[i] = job;
    // What an activation does later follows this job, whoever's job it is.
    lastJobOf.set(activation, job);
    if (kind === EventKind.Wait) askedBy.set(object, job);
    if (kind === EventKind.Issue) {
      const request = requests[object];
      if (request) request.issuedBy = job;
    }
  }
  const nodeOf = owner.map((o) => (o >= 0 ? o : o < -1 ? jobs.length + (-2 - o) : -1));
  const first = jobs.findIndex((j) => conditions[j.condition]?.kind === 'start');
  const resolved = conditions.map((c, i): Condition => {
    // Only the first job needs nothing; whatever else was ready at the start was made by it.
    if (c.kind === 'start' && i !== jobs[first]?.condition) return { kind: 'job', job: first };
    if (c.kind !== 'job') return c;
    const at = jobIndex.get(c.job);
    return at === undefined ? { kind: 'unknown' } : { kind: 'job', job: at };
  });
  const observed = new Map<string, number[]>();
  trace.steps.forEach((name, at) => {
    const list = observed.get(name);
    if (list) list.push(at);
    else observed.set(name, [at]);
  });
  return { trace, jobs, requests, conditions: resolved, askedBy, nodeOf, observed };
}
