import type { Trail } from './trail.ts';

/** Queues of small numbers on a trail; a number stands in at most one of them at a time. */
export class Queues {
  private readonly trail: Trail;
  private readonly heads: number;
  private readonly tails: number;
  private readonly nexts: number;
  private readonly previous: number;

  constructor(trail: Trail, queues: number, members: number) {
    this.trail = trail;
    this.heads = trail.allocate(queues, -1);
    this.tails = trail.allocate(queues, -1);
    this.nexts = trail.allocate(members, -1);
    this.previous = trail.allocate(members, -1);
  }

  /** The first member, or -1. */
  first(queue: number): number {
    return this.trail.get(this.heads + queue);
  }

  /** The member behind another one, or -1. */
  next(member: number): number {
    return this.trail.get(this.nexts + member);
  }

  push(queue: number, member: number): void {
    const { trail } = this;
    const last = trail.get(this.tails + queue);
    trail.set(last < 0 ? this.heads + queue : this.nexts + last, member);
    trail.set(this.previous + member, last);
    trail.set(this.nexts + member, -1);
    trail.set(this.tails + queue, member);
  }

  remove(queue: number, member: number): void {
    const { trail } = this;
    const before = trail.get(this.previous + member);
    const after = trail.get(this.nexts + member);
    trail.set(before < 0 ? this.heads + queue : this.nexts + before, after);
    trail.set(after < 0 ? this.tails + queue : this.previous + after, before);
  }
}
