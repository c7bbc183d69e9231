/**
 * Which step the real event loop could take next. Pure: no host object, no clock, no callback.
 * The gate drives it with real requests, abstract replay with recorded ones, enumeration with either,
 * so that all of them obey the same rules (docs/feasibility.md names each rule and its counter-example).
 */

export type StepKind = 'effect' | 'end' | 'deliver' | 'timer' | 'immediate';

export interface Step {
  readonly kind: StepKind;
  /** Id of the request, as given at issue. */
  readonly id: number;
  /** Timers: the pause of the CPU that this step presumes, ms (C3). */
  readonly pause: number;
  /** Timers: the virtual time at which it fires. */
  readonly due?: number;
}

/** Each rule can be switched off, so that a test can show the false failure that it prevents. */
export interface Rules {
  /** C3 timers fire in an order that some non-decreasing start times explain. */
  readonly timers: boolean;
  /** C8 a request takes effect at a moment of its own, before its delivery. */
  readonly effects: boolean;
  /** C9 immediates run as one batch; nothing of the poll phase precedes those that it made. */
  readonly phases: boolean;
  /** C10 the thread pool starts requests in issue order on `poolSize` threads. */
  readonly pool: boolean;
  /** C14 lateness is bounded. */
  readonly bounded: boolean;
  /** C16 an unref'd timer fires only while something else keeps the process alive. */
  readonly unref: boolean;
}
export const ALL_RULES: Rules = {
  timers: true,
  effects: true,
  phases: true,
  pool: true,
  bounded: true,
  unref: true,
};

export interface LoopOptions {
  readonly rules: Rules;
  readonly poolSize: number;
  readonly maxStallMs: number;
  readonly maxPauseMs: number;
}
export const DEFAULT_LOOP: LoopOptions = { rules: ALL_RULES, poolSize: 4, maxStallMs: 1000, maxPauseMs: 250 };

interface PoolRequest {
  readonly id: number;
  readonly seq: number;
  readonly issuedAt: number;
  /** Effect moments still to come; a request such as copyFile has several. */
  effects: number;
  ended: boolean;
}

interface Timer {
  readonly id: number;
  seq: number;
  delay: number;
  expiry: number;
  ref: boolean;
}

/** State of the loop between two turns. */
export class LoopModel {
  /** Virtual time, ms. Only a timer or a pause moves it: the smallest clock that explains the order. */
  now = 0;
  /** C12: the clock may not leap beyond this while work outside the model is under way. */
  horizon = Number.POSITIVE_INFINITY;
  /** When the earliest timer is due that only {@link horizon} kept out of the last {@link enabled}. */
  blockedUntil = Number.POSITIVE_INFINITY;
  /** C16: something outside the model keeps the process alive. */
  keptAlive = false;
  readonly options: LoopOptions;
  private seq = 0;
  private readonly pool: PoolRequest[] = [];
  /** Ended before delivery, in the order in which they ended: they are delivered in that order (C10). */
  private readonly endedQueue: PoolRequest[] = [];
  private readonly timers = new Map<number, Timer>();
  /** Immediates pending, in creation order. */
  private readonly immediates: number[] = [];
  /** The batch of immediates being run, C9: all that were pending when the check phase began. */
  private batch: Set<number> | null = null;
  private phase: 'timers' | 'poll' | 'check' = 'timers';
  /** `seq` when the current poll phase began. */
  private pollStart = 0;

  constructor(options: Partial<LoopOptions> = {}) {
    this.options = { ...DEFAULT_LOOP, ...options };
  }

  /** A request enters the thread pool. `effects`: how many separate moments the kernel works on it. */
  issue(id: number, effects = 1): void {
    this.pool.push({ id, seq: ++this.seq, issuedAt: this.now, effects, ended: false });
  }

  startTimer(id: number, delay: number, ref = true): void {
    const whole = delay >= 1 && delay <= 2147483647 ? Math.trunc(delay) : 1;
    this.timers.set(id, { id, seq: ++this.seq, delay: whole, expiry: this.now + whole, ref });
  }

  setRef(id: number, ref: boolean): void {
    const timer = this.timers.get(id);
    if (timer) timer.ref = ref;
  }

  cancelTimer(id: number): void {
    this.timers.delete(id);
  }

  startImmediate(id: number): void {
    ++this.seq;
    this.immediates.push(id);
  }

  cancelImmediate(id: number): void {
    const at = this.immediates.indexOf(id);
    if (at >= 0) this.immediates.splice(at, 1);
    this.batch?.delete(id);
  }

  /** No further effect will come, however many were announced. */
  finish(id: number): void {
    this.find(id).effects = 0;
  }

  /** True when nothing is left that could ever take a step. */
  get idle(): boolean {
    return this.pool.length === 0 && this.immediates.length === 0 && this.timers.size === 0;
  }

  /** Every step that the loop could take now, sorted by kind and issue order; callers sort by name. */
  enabled(): Step[] {
    const { rules } = this.options;
    const steps: Step[] = [];
    this.blockedUntil = Number.POSITIVE_INFINITY;
    if (rules.phases && this.batch) {
      const next = this.immediates.find((id) => this.batch?.has(id));
      if (next !== undefined) return [{ kind: 'immediate', id: next, pause: 0 }];
      this.endBatch();
    }
    if (this.immediates.length > 0)
      steps.push({ kind: 'immediate', id: this.immediates[0] as number, pause: 0 });
    // C9: while an immediate waits in the poll phase, what was issued since the phase began cannot arrive.
    const barred = rules.phases && this.immediates.length > 0 && this.phase === 'poll';
    const barrier = barred ? this.pollStart : Number.POSITIVE_INFINITY;
    this.poolSteps(steps, barrier);
    if (!barred) this.timerSteps(steps);
    return steps;
  }

  private poolSteps(steps: Step[], barrier: number): void {
    const { rules, poolSize } = this.options;
    let running = 0;
    let waiting = false;
    const onThread: PoolRequest[] = [];
    for (const request of this.pool) {
      if (request.ended) continue;
      if (rules.pool && running === poolSize) {
        waiting = true;
        break;
      }
      running += 1;
      onThread.push(request);
      if (request.effects > 0 && rules.effects) steps.push({ kind: 'effect', id: request.id, pause: 0 });
      else if (request.seq < barrier && this.endedQueue.length === 0)
        steps.push({ kind: 'deliver', id: request.id, pause: 0 });
    }
    const first = this.endedQueue[0];
    if (first && first.seq < barrier) steps.push({ kind: 'deliver', id: first.id, pause: 0 });
    if (waiting)
      for (const request of onThread)
        if (request.effects === 0 || !rules.effects) steps.push({ kind: 'end', id: request.id, pause: 0 });
  }

  private timerSteps(steps: Step[]): void {
    const { rules, maxPauseMs, maxStallMs } = this.options;
    if (this.timers.size === 0) return;
    const pending = [...this.timers.values()];
    const alive = this.keptAlive || this.pool.length > 0 || this.immediates.length > 0;
    if (rules.unref && !alive && !pending.some((t) => t.ref)) return;
    for (const timer of pending) {
      let pause = 0;
      let allowed = true;
      for (const other of pending) {
        if (other === timer) continue;
        if (rules.timers && other.delay === timer.delay && other.seq < timer.seq) allowed = false;
        else if (other.expiry < timer.expiry || (other.expiry === timer.expiry && other.seq < timer.seq)) {
          // C3: overtaking needs a pause between the two starts, so the overtaken must have started later.
          if (!rules.timers) continue;
          if (other.seq < timer.seq && other.expiry < timer.expiry) allowed = false;
          else if (other.seq > timer.seq) pause = Math.max(pause, timer.expiry - other.expiry);
        }
        if (!allowed) break;
      }
      if (!allowed || pause > maxPauseMs) continue;
      const at = Math.max(this.now + pause, timer.expiry);
      // The loop does not sleep while an immediate waits (C9).
      if (rules.phases && this.immediates.length > 0 && at > this.now) continue;
      if (at > this.now && at > this.horizon) {
        this.blockedUntil = Math.min(this.blockedUntil, at);
        continue;
      }
      if (rules.bounded && this.pool.some((request) => at - request.issuedAt > maxStallMs)) continue;
      steps.push({ kind: 'timer', id: timer.id, pause, due: at });
    }
  }

  /** Takes a step that {@link enabled} offered. Throws on an id that is not pending: a caller's bug. */
  take(step: Step): void {
    switch (step.kind) {
      case 'effect':
        this.find(step.id).effects -= 1;
        return;
      case 'end': {
        const request = this.find(step.id);
        request.ended = true;
        this.endedQueue.push(request);
        return;
      }
      case 'deliver': {
        const request = this.find(step.id);
        this.pool.splice(this.pool.indexOf(request), 1);
        if (request.ended) this.endedQueue.splice(this.endedQueue.indexOf(request), 1);
        if (this.phase !== 'poll' || request.seq >= this.pollStart) {
          this.phase = 'poll';
          this.pollStart = this.seq + 1;
        }
        this.batch = null;
        return;
      }
      case 'timer': {
        const timer = this.timers.get(step.id);
        if (!timer) throw new Error(`timer ${step.id} is not pending`);
        if (step.pause > 0) this.insertPause(timer, step.pause);
        this.now = Math.max(this.now, timer.expiry);
        this.timers.delete(step.id);
        this.phase = 'timers';
        this.batch = null;
        return;
      }
      case 'immediate': {
        const at = this.immediates.indexOf(step.id);
        if (at < 0) throw new Error(`immediate ${step.id} is not pending`);
        if (!this.batch) this.batch = new Set(this.immediates);
        this.immediates.splice(at, 1);
        this.batch.delete(step.id);
        this.phase = 'check';
        if (this.batch.size === 0) this.endBatch();
        return;
      }
    }
  }

  private endBatch(): void {
    this.batch = null;
    this.phase = 'timers';
  }

  /**
   * C3: `timer` overtakes timers that started after it. Presumes that the CPU paused just before the first
   * of them started, which moves every later start, and the clock, by the same amount.
   */
  private insertPause(timer: Timer, pause: number): void {
    for (const other of this.timers.values()) if (other.seq > timer.seq) other.expiry += pause;
    this.now += pause;
  }

  /** Expiry of a pending timer in virtual ms, or undefined. */
  expiryOf(id: number): number | undefined {
    return this.timers.get(id)?.expiry;
  }

  /** How late each pending or delivered request is: virtual now minus its issue. */
  ageOf(id: number): number {
    const request = this.pool.find((r) => r.id === id);
    return request ? this.now - request.issuedAt : 0;
  }

  private find(id: number): PoolRequest {
    const request = this.pool.find((r) => r.id === id);
    if (!request) throw new Error(`request ${id} is not pending`);
    return request;
  }
}
