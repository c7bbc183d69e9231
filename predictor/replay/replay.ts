/**
 * Abstract replay: executes a recorded program in another order of host steps, without running it. The loop
 * sketch says which steps are possible; conditions say which jobs a step frees. The control flow of each job is
 * taken to be the recorded one (the usual assumption of prediction, Penelope §3); whether the real program
 * agrees is found out by forcing. A replay can be taken back to any earlier moment of it.
 */
import { DEFAULT_LOOP, type LoopOptions } from '../../data/feasibility/rules.ts';
import { LoopSketch } from '../../data/feasibility/sketch/loop-sketch.ts';
import { Queues } from '../../data/feasibility/sketch/queues.ts';
import { EFFECT, END } from '../../data/feasibility/sketch/steps.ts';
import { Trail } from '../../data/feasibility/sketch/trail.ts';
import { EventKind } from '../../data/trace.ts';
import type { Program } from '../program.ts';
import { NEVER, type Steps, stepsOf } from './steps.ts';
import { type Waiting, waitingOf } from './waiting.ts';

/** States of a job. */
const QUEUED = 1;
const DONE = 2;

export class Replay {
  readonly steps: Steps;
  /** Steps taken so far; only the first {@link length} count. */
  readonly taken: Int32Array;
  /** Events in the order of their execution; only the first {@link executed} count. */
  readonly sequence: Int32Array;
  /** For each of them, how many steps had been taken; and the clock after each number of steps, ms. */
  private readonly lengths: Int32Array;
  readonly clocks: Int32Array;
  /** By request: how many steps had been taken when it was last started; -1 for never. */
  readonly startedAt: Int32Array;
  /** The steps possible now, in no order; only as many as {@link look} says. */
  readonly possible: number[] = [];
  /** Steps replayed in all, those taken back included: the cost of this object. */
  cost = 0;
  /** Whether {@link first} passed over a step that comes earlier in the observed order. */
  passedOver = false;
  private width = 0;
  private readonly program: Program;
  private readonly waiting: Waiting;
  private readonly trail = new Trail();
  private readonly loop: LoopSketch;
  /** Cells: steps taken, accesses executed; when each event was executed, from 1; states; what locks do. */
  private readonly count: number;
  private readonly events: number;
  private readonly moments: number;
  private readonly jobs: number;
  private readonly met: number;
  private readonly held: number;
  private readonly waiters: Queues;
  /** Jobs that are free in the present turn. */
  private readonly ready: number[] = [];
  /** How many of them have begun. */
  private running = 0;

  constructor(program: Program, options: Partial<LoopOptions> = {}) {
    const { trail } = this;
    const { trace, conditions } = program;
    this.program = program;
    this.waiting = waitingOf(program);
    this.steps = stepsOf(program);
    this.taken = new Int32Array(this.steps.count);
    this.loop = new LoopSketch(trail, program.requests, this.steps, { ...DEFAULT_LOOP, ...options });
    this.count = trail.allocate(1);
    this.events = trail.allocate(1);
    this.sequence = new Int32Array(trace.events.length);
    this.lengths = new Int32Array(trace.events.length);
    this.clocks = new Int32Array(this.steps.count + 1);
    this.startedAt = new Int32Array(program.requests.length).fill(-1);
    this.moments = trail.allocate(trace.events.length);
    this.jobs = trail.allocate(program.jobs.length);
    this.met = trail.allocate(conditions.length);
    this.held = trail.allocate(trace.locks.length);
    this.waiters = new Queues(trail, trace.locks.length, conditions.length);
    conditions.forEach((c, i) => {
      if (c.kind === 'start') this.meet(i);
    });
    this.drain();
  }

  /** How many steps were taken. */
  get length(): number {
    return this.trail.get(this.count);
  }

  /** How many events were executed. */
  get executed(): number {
    return this.trail.get(this.events);
  }

  /** When an event was executed, as an ordinal from 1; 0 as long as it was not. */
  moment(event: number): number {
    return this.trail.get(this.moments + event);
  }

  /** How many steps had been taken when an event was executed, its own step included; -1 where it was not. */
  lengthAt(event: number): number {
    const moment = this.moment(event);
    return moment === 0 ? -1 : (this.lengths[moment - 1] as number);
  }

  /** Finds the {@link possible} steps and returns how many they are. */
  look(): number {
    this.width = this.loop.enabled(this.possible);
    return this.width;
  }

  /** Whether a step was among those that were found last. */
  offers(step: number): boolean {
    const at = this.possible.indexOf(step);
    return at >= 0 && at < this.width;
  }

  /** The possible step that comes first in the observed order, but no held one; -1 where there is none. */
  first(isHeld?: (step: number) => boolean): number {
    const count = this.look();
    let best = -1;
    let rank = NEVER + 1;
    let passed = rank;
    for (let i = 0; i < count; i++) {
      const step = this.possible[i] as number;
      const at = this.steps.rank[step] as number;
      if (at >= rank) continue;
      if (isHeld?.(step)) passed = Math.min(passed, at);
      else {
        best = step;
        rank = at;
      }
    }
    this.passedOver = passed < rank;
    return best;
  }

  take(step: number): void {
    const { trail, steps } = this;
    this.cost += 1;
    const length = trail.get(this.count);
    this.taken[length] = step;
    trail.set(this.count, length + 1);
    this.loop.take(step);
    this.clocks[length + 1] = this.loop.now;
    const kind = steps.kind[step];
    const request = steps.request[step] as number;
    if (kind === END) return;
    if (kind === EFFECT) {
      const nth = step - (steps.first[request] as number);
      for (const event of this.program.requests[request]?.effects[nth] ?? []) this.execute(event);
      return;
    }
    for (const c of this.waiting.onDelivery[request] as readonly number[]) this.meet(c);
    this.drain();
  }

  /** The present moment, for {@link undo}. */
  mark(): number {
    return this.trail.mark();
  }

  undo(mark: number): void {
    this.trail.undo(mark);
  }

  /** Locks that are waited for. */
  stuck(): number[] {
    return this.program.trace.locks.map((_, lock) => lock).filter((lock) => this.waiters.first(lock) >= 0);
  }

  private execute(event: number): void {
    const { trail } = this;
    const moment = trail.get(this.events) + 1;
    this.sequence[moment - 1] = event;
    this.lengths[moment - 1] = this.length;
    trail.set(this.events, moment);
    trail.set(this.moments + event, moment);
  }

  private meet(condition: number): void {
    const { trail } = this;
    if (trail.get(this.met + condition) === 1) return;
    trail.set(this.met + condition, 1);
    for (const job of this.waiting.jobsOf[condition] as readonly number[]) this.consider(job);
    for (const outer of this.waiting.containers[condition] as readonly number[]) {
      const c = this.program.conditions[outer];
      if (c?.kind === 'any' || (c?.kind === 'all' && c.of.every((m) => trail.get(this.met + m) === 1)))
        this.meet(outer);
    }
  }

  /** Queues a job whose condition and predecessor are both there. */
  private consider(id: number): void {
    const { trail } = this;
    const job = this.program.jobs[id] as Program['jobs'][number];
    if (trail.get(this.jobs + id) !== 0) return;
    if (job.previous >= 0 && trail.get(this.jobs + job.previous) !== DONE) return;
    if (trail.get(this.met + job.condition) !== 1) return;
    trail.set(this.jobs + id, QUEUED);
    this.enqueue(id);
  }

  /** Locks are queues: granted at once when free, else first come, first served. */
  private requestLock(lock: number, condition: number): void {
    const { trail } = this;
    if (trail.get(this.held + lock) === 1) {
      this.waiters.push(lock, condition);
      return;
    }
    trail.set(this.held + lock, 1);
    this.meet(condition);
  }

  private release(lock: number): void {
    this.trail.set(this.held + lock, 0);
    const next = this.waiters.first(lock);
    if (next < 0) return;
    this.waiters.remove(lock, next);
    this.requestLock(lock, next);
  }

  /** Jobs of one turn run in their observed order: how many microtasks lie before each is not recorded. */
  private enqueue(id: number): void {
    const { ready } = this;
    let at = ready.push(id) - 1;
    for (; at > this.running && ready[at - 1]! > id; at--) ready[at] = ready[at - 1] as number;
    ready[at] = id;
  }

  /** Runs every job that is free: the microtasks of one turn. */
  private drain(): void {
    const { ready } = this;
    while (this.running < ready.length) this.runJob(ready[this.running++] as number);
    ready.length = 0;
    this.running = 0;
  }

  private runJob(id: number): void {
    const { trace, requests, conditions } = this.program;
    const { kind, object } = trace.events;
    this.trail.set(this.jobs + id, DONE);
    for (const event of (this.program.jobs[id] as Program['jobs'][number]).events) {
      const of = object[event] as number;
      switch (kind[event]) {
        case EventKind.Read:
        case EventKind.Write:
          this.execute(event);
          break;
        case EventKind.Release:
          this.release(of);
          break;
        case EventKind.Wait: {
          const condition = conditions[of];
          if (condition?.kind === 'lock') this.requestLock(condition.lock, of);
          break;
        }
        case EventKind.Issue:
          // A timer that never fired in the observed run was cleared: it would only be noise here.
          if (!requests[of]?.delivered) break;
          this.startedAt[of] = this.length;
          this.loop.start(of);
      }
    }
    for (const c of this.waiting.onJob[id] as readonly number[]) this.meet(c);
    for (const next of this.waiting.successors[id] as readonly number[]) this.consider(next);
  }
}

/** Replays in the observed order, as far as that goes. */
export function replayObserved(program: Program, options: Partial<LoopOptions> = {}): Replay {
  const replay = new Replay(program, options);
  for (;;) {
    const next = replay.first();
    if (next < 0 || replay.steps.rank[next] === NEVER) return replay;
    replay.take(next);
  }
}
