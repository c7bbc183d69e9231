/**
 * Which step the real event loop could take next, for abstract replay: on a state that can be taken back. Phases (C9),
 * effects (C8), the pool (C10), bounded lateness (C14) and unref'd timers (C16) are those of `../exact`. What arrives
 * outside of the pool, and close callbacks, are taken for answers that need no thread of it. Of C3 only what needs no network of times:
 * it would cost more than the forced runs that it saves. `test/predictor/synthesize.test.ts` holds the two side by side.
 */
import type { RequestKind } from '../../trace.ts';
import type { LoopOptions } from '../rules.ts';
import { Queues } from './queues.ts';
import { DELIVER, EFFECT, END, type NumberedSteps } from './steps.ts';
import type { Trail } from './trail.ts';

/** What is known of a request beforehand, under its number. */
export interface SketchedRequest {
  readonly id: number;
  readonly kind: RequestKind;
  readonly delay: number;
  readonly ref: boolean;
  readonly effects: readonly unknown[];
  /** See {@link Request.behind}. */
  readonly behind: number;
}

const TIMERS = 0;
const POLL = 1;
const CHECK = 2;

/** Queues: requests of the pool, what arrives outside of it, immediates, then timers by delay. */
const POOL = 0;
const OUTSIDE = 1;
const IMMEDIATES = 2;
const DELAYS = 3;
const QUEUES: Readonly<Partial<Record<RequestKind, number>>> = { pool: POOL, immediate: IMMEDIATES };
/** The queue of those that gave their thread back before their delivery: they are in the pool as well. */
const ENDED = 0;

export class LoopSketch {
  private readonly trail: Trail;
  private readonly steps: NumberedSteps;
  private readonly requests: readonly SketchedRequest[];
  private readonly options: LoopOptions;
  private readonly queues: Queues;
  private readonly ended: Queues;
  /** Which queue, by request; of timers the delay of each queue. */
  private readonly queueOf: Int32Array;
  private readonly delays: number[] = [];
  /** Cells: the clock (ms), ordinals, the phase, pending timers that keep the process alive. */
  private readonly clock: number;
  private readonly seq: number;
  private readonly pollStart: number;
  private readonly batchEnd: number;
  private readonly phase: number;
  private readonly refs: number;
  /** Cell: when the first of the answers was asked for that led to this turn (ms); -1 where it is no answer's. */
  private readonly stretch: number;
  /**
   * Cells by request: its ordinal, when it was asked for (ms), the same of the first answer that led to it, effects
   * done, whether its thread was given back, whether it was delivered.
   */
  private readonly ordinal: number;
  private readonly issued: number;
  private readonly since: number;
  private readonly effects: number;
  private readonly isEnded: number;
  private readonly isDelivered: number;

  constructor(
    trail: Trail,
    requests: readonly SketchedRequest[],
    steps: NumberedSteps,
    options: LoopOptions,
  ) {
    this.trail = trail;
    this.steps = steps;
    this.requests = requests;
    this.options = options;
    const count = requests.length;
    this.queueOf = new Int32Array(count);
    const queues = new Map<number, number>();
    for (const { id, kind, delay } of requests) {
      this.queueOf[id] = QUEUES[kind] ?? OUTSIDE;
      if (kind !== 'timer') continue;
      const whole = delay >= 1 && delay <= 2147483647 ? Math.trunc(delay) : 1;
      let queue = queues.get(whole);
      if (queue === undefined) queues.set(whole, (queue = DELAYS + this.delays.push(whole) - 1));
      this.queueOf[id] = queue;
    }
    this.queues = new Queues(trail, DELAYS + this.delays.length, count);
    this.ended = new Queues(trail, 1, count);
    this.clock = trail.allocate(1);
    this.seq = trail.allocate(1);
    this.pollStart = trail.allocate(1);
    this.batchEnd = trail.allocate(1);
    this.phase = trail.allocate(1, CHECK);
    this.refs = trail.allocate(1);
    this.stretch = trail.allocate(1, -1);
    this.ordinal = trail.allocate(count);
    this.issued = trail.allocate(count);
    this.since = trail.allocate(count);
    this.effects = trail.allocate(count);
    this.isEnded = trail.allocate(count);
    this.isDelivered = trail.allocate(count);
  }

  /** Virtual time, ms. */
  get now(): number {
    return this.trail.get(this.clock);
  }

  start(id: number): void {
    const { trail } = this;
    const { kind, ref } = this.requests[id] as SketchedRequest;
    const ordinal = trail.get(this.seq) + 1;
    trail.set(this.seq, ordinal);
    trail.set(this.ordinal + id, ordinal);
    trail.set(this.issued + id, this.now);
    const stretch = trail.get(this.stretch);
    trail.set(this.since + id, stretch < 0 ? this.now : stretch);
    if (kind === 'timer' && ref) trail.set(this.refs, trail.get(this.refs) + 1);
    this.queues.push(this.queueOf[id]!, id);
  }

  /** Writes the steps that the loop could take now to `out`, and returns how many they are. */
  enabled(out: number[]): number {
    const { trail, queues } = this;
    const immediate = queues.first(IMMEDIATES);
    let count = 0;
    if (immediate >= 0) {
      out[count++] = this.step(immediate, DELIVER);
      if (trail.get(this.ordinal + immediate) <= trail.get(this.batchEnd)) return count;
    }
    // While an immediate waits in the poll phase, what was issued since the phase began cannot arrive.
    const barred = immediate >= 0 && trail.get(this.phase) === POLL;
    count = this.outsideSteps(out, this.poolSteps(out, count, barred), barred);
    return barred ? count : this.timerSteps(out, count);
  }

  private poolSteps(out: number[], from: number, barred: boolean): number {
    const { trail, queues } = this;
    let count = from;
    let running = 0;
    let id = queues.first(POOL);
    const ended = this.ended.first(ENDED);
    for (; id >= 0; id = queues.next(id)) {
      if (trail.get(this.isEnded + id) === 1) continue;
      if (running === this.options.poolSize) break;
      running += 1;
      if (this.effectsLeft(id) > 0) out[count++] = this.step(id, EFFECT);
      else if (ended < 0 && !(barred && this.comesRound(id))) out[count++] = this.step(id, DELIVER);
    }
    if (ended >= 0 && !(barred && this.comesRound(ended))) out[count++] = this.step(ended, DELIVER);
    if (id < 0) return count;
    // Another request waits for a thread.
    for (let on = queues.first(POOL); on !== id; on = queues.next(on))
      if (trail.get(this.isEnded + on) === 0 && this.effectsLeft(on) === 0) out[count++] = this.step(on, END);
    return count;
  }

  /** What needs no thread comes beside whatever the pool does. */
  private outsideSteps(out: number[], from: number, barred: boolean): number {
    const { queues } = this;
    let count = from;
    for (let id = queues.first(OUTSIDE); id >= 0; id = queues.next(id))
      if (this.effectsLeft(id) > 0) out[count++] = this.step(id, EFFECT);
      else if (!(barred && this.comesRound(id)) && !this.isBehind(id)) out[count++] = this.step(id, DELIVER);
    return count;
  }

  private timerSteps(out: number[], from: number): number {
    const { trail, queues, now } = this;
    let count = from;
    const alive = [POOL, OUTSIDE, IMMEDIATES].some((queue) => queues.first(queue) >= 0);
    if (!alive && trail.get(this.refs) === 0) return count;
    for (let queue = DELAYS; queue < DELAYS + this.delays.length; queue++) {
      const id = queues.first(queue);
      if (id < 0) continue;
      const due = this.due(id, queue);
      if (due > now && this.isAnswered(due - this.options.maxStallMs)) continue;
      if (this.mayFire(id, due, this.delays[queue - DELAYS] as number)) out[count++] = this.step(id, DELIVER);
    }
    return count;
  }

  /** The oldest request would have been answered by then: it is older than `since`. */
  private isAnswered(since: number): boolean {
    const { trail, queues, now } = this;
    for (const queue of [POOL, OUTSIDE])
      for (let id = queues.first(queue); id >= 0; id = queues.next(id))
        if (since > now || trail.get(this.since + id) < since) return true;
    return false;
  }

  /**
   * C3 in short: equal delays are first in, first out, and one timer overtakes another that is due earlier if a
   * pause of the CPU can have made that one start so much later. The gate knows the whole rule; an order too many
   * costs one forced run.
   */
  private mayFire(timer: number, due: number, delay: number): boolean {
    const { trail, queues, delays } = this;
    const started = trail.get(this.ordinal + timer);
    for (let queue = DELAYS; queue < DELAYS + delays.length; queue++) {
      const other = queues.first(queue);
      if (other < 0 || other === timer) continue;
      const ahead = due - this.due(other, queue);
      if (ahead > this.options.maxPauseMs) return false;
      // It started first: it cannot have started later than this one.
      if (ahead > 0 && trail.get(this.ordinal + other) < started && delays[queue - DELAYS]! <= delay)
        return false;
    }
    return true;
  }

  take(step: number): void {
    const { trail, steps } = this;
    const id = steps.request[step] as number;
    const kind = steps.kind[step];
    if (kind === EFFECT) trail.set(this.effects + id, trail.get(this.effects + id) + 1);
    else if (kind === END) {
      trail.set(this.isEnded + id, 1);
      this.ended.push(ENDED, id);
    } else if (this.requests[id]?.kind === 'timer') this.fire(id);
    else if (this.requests[id]?.kind === 'immediate') this.runImmediate(id);
    else this.deliver(id);
  }

  private deliver(id: number): void {
    const { trail } = this;
    // Two answers may have come in one round of the loop or in two, unless something waited for the round to end.
    const isBarred = trail.get(this.phase) === POLL && this.queues.first(IMMEDIATES) >= 0;
    if (!isBarred) trail.set(this.pollStart, trail.get(this.seq) + 1);
    this.queues.remove(this.queueOf[id]!, id);
    if (trail.get(this.isEnded + id) === 1) this.ended.remove(ENDED, id);
    trail.set(this.isDelivered + id, 1);
    trail.set(this.stretch, trail.get(this.since + id));
    trail.set(this.phase, POLL);
  }

  private fire(id: number): void {
    const { trail } = this;
    const queue = this.queueOf[id] as number;
    trail.set(this.clock, this.due(id, queue));
    this.queues.remove(queue, id);
    if (this.requests[id]?.ref) trail.set(this.refs, trail.get(this.refs) - 1);
    trail.set(this.stretch, -1);
    trail.set(this.phase, TIMERS);
  }

  /** The first of a batch: all that are pending run before anything else does. */
  private runImmediate(id: number): void {
    const { trail } = this;
    if (trail.get(this.ordinal + id) > trail.get(this.batchEnd))
      trail.set(this.batchEnd, trail.get(this.seq));
    this.queues.remove(IMMEDIATES, id);
    trail.set(this.stretch, -1);
    trail.set(this.phase, CHECK);
  }

  private due(id: number, queue: number): number {
    const at = this.trail.get(this.issued + id) + (this.delays[queue - DELAYS] as number);
    return Math.max(this.now, at);
  }

  /** Whether the loop has to pass its timers phase, firing nothing, before this request can arrive. */
  private comesRound(id: number): boolean {
    const { trail } = this;
    const phase = trail.get(this.phase);
    if (phase === POLL) return trail.get(this.ordinal + id) >= trail.get(this.pollStart);
    return phase === CHECK;
  }

  /** Whether something that comes first is still awaited. */
  private isBehind(id: number): boolean {
    const behind = this.requests[id]?.behind ?? -1;
    return behind >= 0 && this.trail.get(this.isDelivered + behind) === 0;
  }

  private effectsLeft(id: number): number {
    return (this.requests[id]?.effects.length ?? 0) - this.trail.get(this.effects + id);
  }

  private step(id: number, kind: number): number {
    const first = this.steps.first[id] as number;
    if (kind === EFFECT) return first + this.trail.get(this.effects + id);
    const effects = this.requests[id]?.effects.length ?? 0;
    return first + effects + (kind === END ? 0 : 1);
  }
}
