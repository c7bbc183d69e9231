/**
 * Abstract replay as it is defined, without any regard to cost: on the model of the loop that the gate uses, and
 * from the beginning for every order. What the predictor does must come to the same.
 */
import { LoopModel, type Step } from '../../../data/feasibility/exact/loop.ts';
import { ALL_RULES, type LoopOptions } from '../../../data/feasibility/rules.ts';
import { EventKind } from '../../../data/trace.ts';
import type { Program, ProgramRequest } from '../../../predictor/program.ts';

export interface ReplayStep {
  readonly name: string;
  readonly step: Step;
  /** Position in the observed order; later than everything observed where it did not occur there. */
  readonly rank: number;
}

const NEVER = 1 << 30;

export class Replay {
  readonly model: LoopModel;
  /** Access events in the order in which this replay executed them. */
  readonly sequence: number[] = [];
  /** Steps taken, by name. */
  readonly taken: string[] = [];
  /** How often each event has been executed: 0 or 1. */
  readonly done: Uint8Array;
  private readonly program: Program;
  private readonly jobDone: Uint8Array;
  private readonly jobQueued: Uint8Array;
  private readonly met: Uint8Array;
  private readonly delivered: Uint8Array;
  private readonly effectsDone: Int32Array;
  /** When each timer was started, as an ordinal. */
  private readonly started: Int32Array;
  private starts = 0;
  private readonly queue: number[] = [];
  private readonly held = new Set<number>();
  private readonly waiters = new Map<number, number[]>();
  private readonly waiting: Waiting;

  constructor(program: Program, options: Partial<LoopOptions> = {}) {
    this.program = program;
    this.waiting = waitingOf(program);
    // The exact network of timers would cost more than the forced runs that it saves.
    this.model = new LoopModel({ ...options, rules: { ...ALL_RULES, timers: false } });
    this.started = new Int32Array(program.requests.length);
    this.jobDone = new Uint8Array(program.jobs.length);
    this.jobQueued = new Uint8Array(program.jobs.length);
    this.met = new Uint8Array(program.conditions.length);
    this.delivered = new Uint8Array(program.requests.length);
    this.effectsDone = new Int32Array(program.requests.length);
    this.done = new Uint8Array(program.trace.events.length);
    program.conditions.forEach((c, i) => {
      if (c.kind === 'start') this.meet(i);
    });
    this.drain();
  }

  /** Steps possible now, in the order of the observed run. */
  enabled(): ReplayStep[] {
    const steps: ReplayStep[] = [];
    const possible = this.model.enabled();
    for (const step of possible) {
      if (step.kind === 'timer' && !this.mayFire(step, possible)) continue;
      const { name, ranks } = (this.waiting.names[step.id] as StepNames)[step.kind];
      // Effects are the only steps of a request that may come more than once.
      const nth = step.kind === 'effect' ? (this.effectsDone[step.id] as number) : 0;
      steps.push({ name, step, rank: ranks[nth] ?? NEVER });
    }
    return steps.length > 1 ? steps.sort((a, b) => a.rank - b.rank) : steps;
  }

  /** C3 as far as it needs no network of times, each pair of timers for itself. */
  private mayFire(timer: Step, possible: readonly Step[]): boolean {
    const { requests } = this.program;
    const due = timer.due ?? 0;
    const started = this.started[timer.id] as number;
    const { delay } = requests[timer.id] as ProgramRequest;
    for (const other of possible) {
      if (other.kind !== 'timer' || other.id === timer.id) continue;
      const ahead = due - (other.due ?? 0);
      const first = (this.started[other.id] as number) < started;
      const theirs = (requests[other.id] as ProgramRequest).delay;
      if (first && (theirs === delay || (ahead > 0 && theirs < delay))) return false;
      if (ahead > this.model.options.maxPauseMs) return false;
    }
    return true;
  }

  take({ name, step }: ReplayStep): void {
    this.taken.push(name);
    this.model.take(step);
    if (step.kind === 'end') return;
    if (step.kind === 'effect') {
      const nth = this.effectsDone[step.id] as number;
      this.effectsDone[step.id] = nth + 1;
      for (const event of this.program.requests[step.id]?.effects[nth] ?? []) this.execute(event);
      return;
    }
    this.delivered[step.id] = 1;
    for (const c of this.waiting.onDelivery[step.id] ?? []) this.meet(c);
    this.drain();
  }

  private execute(event: number): void {
    this.done[event] = 1;
    this.sequence.push(event);
  }

  private meet(condition: number): void {
    if (this.met[condition] === 1) return;
    this.met[condition] = 1;
    for (const job of this.waiting.jobsOf[condition] ?? []) this.consider(job);
    for (const outer of this.waiting.containers[condition] ?? []) {
      const c = this.program.conditions[outer];
      if (c?.kind === 'any' || (c?.kind === 'all' && c.of.every((m) => this.met[m] === 1))) this.meet(outer);
    }
  }

  /** Queues a job whose condition and predecessor are both there. */
  private consider(id: number): void {
    const job = this.program.jobs[id];
    if (!job || this.jobQueued[id] === 1) return;
    if (job.previous >= 0 && this.jobDone[job.previous] !== 1) return;
    if (this.met[job.condition] !== 1) return;
    this.jobQueued[id] = 1;
    this.queue.push(id);
  }

  /** Locks are queues: granted at once when free, else first come, first served. */
  private requestLock(lock: number, condition: number): void {
    if (this.held.has(lock)) {
      const list = this.waiters.get(lock);
      if (list) list.push(condition);
      else this.waiters.set(lock, [condition]);
      return;
    }
    this.held.add(lock);
    this.meet(condition);
  }

  private release(lock: number): void {
    this.held.delete(lock);
    const next = this.waiters.get(lock)?.shift();
    if (next !== undefined) this.requestLock(lock, next);
  }

  /** Runs every job that is free, in their observed order: the microtasks of one turn. */
  private drain(): void {
    while (this.queue.length > 0) {
      const id = Math.min(...this.queue);
      this.queue.splice(this.queue.indexOf(id), 1);
      this.runJob(id);
    }
  }

  private runJob(id: number): void {
    const { trace, requests } = this.program;
    const job = this.program.jobs[id];
    if (!job) return;
    this.jobDone[id] = 1;
    for (const event of job.events) {
      const kind = trace.events.kind[event];
      const object = trace.events.object[event] as number;
      if (kind === EventKind.Read || kind === EventKind.Write) this.execute(event);
      else if (kind === EventKind.Release) this.release(object);
      else if (kind === EventKind.Wait) {
        const condition = this.program.conditions[object];
        if (condition?.kind === 'lock') this.requestLock(condition.lock, object);
      } else if (kind === EventKind.Issue) this.issue(object, requests);
    }
    for (const c of this.waiting.onJob[id] ?? []) this.meet(c);
    for (const next of this.waiting.successors[id] ?? []) this.consider(next);
  }

  private issue(id: number, requests: Program['requests']): void {
    const request = requests[id];
    // A timer that never fired in the observed run was cleared: it would only be noise here.
    if (!request?.delivered) return;
    if (request.kind === 'timer') {
      this.started[id] = ++this.starts;
      this.model.startTimer(id, request.delay, { ref: request.ref });
    } else if (request.kind === 'immediate') this.model.startImmediate(id);
    else if (request.kind === 'external') this.model.arrive(id);
    else if (request.kind === 'close') this.model.close(id);
    else this.model.issue(id, request.effects.length);
  }
}

const PREFIX = {
  effect: 'E:',
  end: 'X:',
  deliver: 'D:',
  timer: 'D:',
  immediate: 'D:',
  close: 'D:',
} as const;

/** Reverse indexes of the suspension graph, built once per program. */
interface Waiting {
  readonly onDelivery: number[][];
  readonly onJob: number[][];
  readonly jobsOf: number[][];
  readonly containers: number[][];
  readonly successors: number[][];
  /** For each request, the names of its steps and their positions in the observed order. */
  readonly names: StepNames[];
}

type StepNames = Readonly<Record<Step['kind'], { readonly name: string; readonly ranks: readonly number[] }>>;

function stepNames(program: Program, request: string): StepNames {
  const of = (kind: Step['kind']) => {
    const name = `${PREFIX[kind]}${request}`;
    return { name, ranks: program.observed.get(name) ?? [] };
  };
  const deliver = of('deliver');
  return {
    effect: of('effect'),
    end: of('end'),
    deliver,
    timer: deliver,
    immediate: deliver,
    close: deliver,
  };
}

const indexes = new WeakMap<Program, Waiting>();

function waitingOf(program: Program): Waiting {
  const known = indexes.get(program);
  if (known) return known;
  const { conditions, jobs, requests } = program;
  const lists = (n: number): number[][] => Array.from({ length: n }, () => []);
  const waiting: Waiting = {
    onDelivery: lists(requests.length),
    onJob: lists(jobs.length),
    jobsOf: lists(conditions.length),
    containers: lists(conditions.length),
    successors: lists(jobs.length),
    names: requests.map((r) => stepNames(program, r.name)),
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
  indexes.set(program, waiting);
  return waiting;
}
