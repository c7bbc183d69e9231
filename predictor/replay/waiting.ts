/** Reverse indexes of the suspension graph: who goes on when something happens. Built once per program. */
import type { Program } from '../program.ts';

export interface Waiting {
  /** Conditions, by the request whose delivery meets them, and by the job that does. */
  readonly onDelivery: readonly (readonly number[])[];
  readonly onJob: readonly (readonly number[])[];
  /** By condition: the jobs that wait for it, and the conditions that contain it. */
  readonly jobsOf: readonly (readonly number[])[];
  readonly containers: readonly (readonly number[])[];
  /** By job: what its activation does next. */
  readonly successors: readonly (readonly number[])[];
}

const known = new WeakMap<Program, Waiting>();

export function waitingOf(program: Program): Waiting {
  let waiting = known.get(program);
  if (!waiting) known.set(program, (waiting = index(program)));
  return waiting;
}

function index({ conditions, jobs, requests }: Program): Waiting {
  const lists = (n: number): number[][] => Array.from({ length: n }, () => []);
  const waiting = {
    onDelivery: lists(requests.length),
    onJob: lists(jobs.length),
    jobsOf: lists(conditions.length),
    containers: lists(conditions.length),
    successors: lists(jobs.length),
  };
  conditions.forEach((c, i) => {
    if (c.kind === 'delivery') waiting.onDelivery[c.request]?.push(i);
    else if (c.kind === 'job') waiting.onJob[c.job]?.push(i);
    else if (c.kind === 'all' || c.kind === 'any') for (const m of c.of) waiting.containers[m]?.push(i);
  });
  for (const job of jobs) {
    waiting.jobsOf[job.condition]?.push(job.id);
    if (job.previous >= 0) waiting.successors[job.previous]?.push(job.id);
    // Of unknown cause: taken to follow the job before it.
    if (conditions[job.condition]?.kind === 'unknown' && job.id > 0)
      waiting.onJob[job.id - 1]?.push(job.condition);
  }
  return waiting;
}
