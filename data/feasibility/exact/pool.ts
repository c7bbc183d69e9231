/** libuv's thread pool (C10): which requests are on a thread, and in which order answers leave it. */
import type { Rules } from '../rules.ts';

/** Something that the poll phase will deliver. */
export interface Awaited {
  readonly id: number;
  /** Position among everything that was issued. */
  readonly seq: number;
  /** The moment of its issue. */
  readonly issued: number;
  /** The moment of issue of the first of the answers that led to it one by one; its own where none did. */
  readonly since: number;
  /** So much later it can be there at the earliest, because another process takes its time, ms. */
  readonly lead: number;
}

export interface PoolRequest extends Awaited {
  readonly from: 'pool';
  /** Effect moments still to come; a request such as copyFile has several. */
  effects: number;
  /** Only half of the threads may do work of this kind. */
  readonly slow: boolean;
  /** It gave its thread back before it was delivered. */
  ended: boolean;
}

/** Told what each request of the pool could do now. */
export interface PoolSteps {
  effect(request: PoolRequest): void;
  answer(request: PoolRequest): void;
  end(request: PoolRequest): void;
}

export class ThreadPool {
  private readonly rules: Rules;
  private readonly size: number;
  /** In order of issue. */
  private readonly requests: PoolRequest[] = [];
  /** In the order in which they ended: they are delivered in that order. */
  private readonly ended: PoolRequest[] = [];

  constructor(rules: Rules, size: number) {
    this.rules = rules;
    this.size = size;
  }

  get isEmpty(): boolean {
    return this.requests.length === 0;
  }

  get pending(): readonly PoolRequest[] {
    return this.requests;
  }

  add(request: PoolRequest): void {
    this.requests.push(request);
  }

  find(id: number): PoolRequest | undefined {
    return this.requests.find((request) => request.id === id);
  }

  remove(request: Awaited): void {
    for (const list of [this.requests, this.ended]) {
      const at = list.indexOf(request as PoolRequest);
      if (at >= 0) list.splice(at, 1);
    }
  }

  /** The request gives its thread back, and waits for its delivery. */
  end(request: PoolRequest): void {
    request.ended = true;
    this.ended.push(request);
  }

  /** Requests start in issue order on `size` threads; giving a thread back matters only where one waits for it. */
  steps(told: PoolSteps): void {
    const { rules, size } = this;
    let running = 0;
    let slow = 0;
    let waiting = false;
    const onThread: PoolRequest[] = [];
    for (const request of this.requests) {
      if (request.ended) continue;
      if (rules.pool && running === size) {
        waiting = true;
        break;
      }
      if (rules.pool && request.slow && slow === (size + 1) >> 1) continue;
      running += 1;
      if (request.slow) slow += 1;
      onThread.push(request);
      if (request.effects > 0 && rules.effects) told.effect(request);
      else if (this.ended.length === 0) told.answer(request);
    }
    const [first] = this.ended;
    if (first) told.answer(first);
    if (waiting)
      for (const request of onThread) if (request.effects === 0 || !rules.effects) told.end(request);
  }
}
