/**
 * One order that may show a candidate whose accesses are far apart: as observed, but one thread waits. The local
 * one waits at the cut until the remote access is done, or the remote one before its access until the cut is
 * reached. Whoever needs something of a thread that waits, waits too. One reading, no search: what it finds is an
 * order that threads can execute; what it does not find may still be reachable.
 */
import { isAccess, Op } from '../../../data/threads/trace.ts';
import type { WitnessedTriple } from '../pass/pass.ts';
import type { Frontier } from './frontier.ts';

export class Delay {
  readonly candidate: WitnessedTriple;
  /** First event that does not simply run as observed. */
  readonly from: number;
  /** Last event that is of interest. */
  readonly to: number;
  /** The order from {@link from} on: events, with what they do. */
  readonly order: number[] = [];
  readonly columns: { op: number[]; thread: number[]; object: number[] } = { op: [], thread: [], object: [] };
  /** What the local thread has left out after the cut, up to the second access: event, operation, object. */
  private readonly left: (readonly [number, number, number])[] = [];
  state: 'running' | 'found' | 'failed' = 'running';
  private readonly local: number;
  private readonly other: number;
  private readonly waiting = new Set<number>();
  /** By lock: who holds it, once for each hold; alone and shared. */
  private readonly owners = new Map<number, number[]>();
  private readonly readers = new Map<number, number[]>();
  /** Channels whose message or arrival has not come. */
  private readonly missing = new Set<number>();
  private isCutReached = false;

  /** `before`: where the threads stand before `from`. */
  constructor(candidate: WitnessedTriple, local: number, other: number, before: Frontier) {
    this.candidate = candidate;
    this.local = local;
    this.other = other;
    this.from = Math.min(candidate.first, candidate.remote);
    this.to = Math.max(candidate.second, candidate.remote);
    for (const [thread, open] of before.open.entries())
      for (const [op, lock] of open) if (op !== Op.Begin) this.hold(op, lock, thread);
  }

  /** Events that it keeps. */
  get size(): number {
    return this.order.length + this.left.length;
  }

  /** The next observed event. */
  step(event: number, op: number, thread: number, object: number): void {
    const { cut, remote, second } = this.candidate;
    if (thread === this.local && this.isCutReached && event <= second) this.left.push([event, op, object]);
    if (this.state !== 'running') return;
    if (event === remote && !this.isCutReached) this.waiting.add(thread);
    if (this.waiting.has(thread) || !this.canRun(op, thread, object)) {
      this.waiting.add(thread);
      if (op === Op.Send || op === Op.Arrive) this.missing.add(object);
      if (op === Op.Fork) this.waiting.add(object);
      if (thread === this.local && !this.isCutReached) this.state = 'failed';
      if (thread === this.other && event !== remote && this.isEarly(event)) this.state = 'failed';
      if (event === remote && this.isCutReached) this.state = 'failed';
      return;
    }
    this.run(event, op, thread, object);
    if (event === cut) {
      this.isCutReached = true;
      this.waiting.add(this.local);
      if (remote < event) this.remote();
    }
    if (event === remote) this.state = 'found';
  }

  /** After the last event of interest: whether the local thread alone can go on to its second access. */
  completes(): boolean {
    if (this.state !== 'found') return false;
    for (const [event, op, object] of this.left) {
      if (!this.canRun(op, this.local, object)) return false;
      this.run(event, op, this.local, object);
    }
    return true;
  }

  /** The remote thread must still come to its access. */
  private isEarly(event: number): boolean {
    return event < this.candidate.remote;
  }

  /** An access can always be executed. */
  private remote(): void {
    const { entity, pattern, remote } = this.candidate;
    this.run(remote, pattern[1] === 'W' ? Op.Write : Op.Read, this.other, entity);
    this.state = 'found';
  }

  private canRun(op: number, thread: number, object: number): boolean {
    if (isAccess(op)) return true;
    const isOther = (holder: number): boolean => holder !== thread;
    switch (op) {
      case Op.Acquire:
        return ![...this.holders(this.owners, object), ...this.holders(this.readers, object)].some(isOther);
      case Op.AcquireShared:
        return !this.holders(this.owners, object).some(isOther);
      case Op.Join:
        return !this.waiting.has(object);
      case Op.Receive:
      case Op.Leave:
        return !this.missing.has(object);
      default:
        return true;
    }
  }

  private run(event: number, op: number, thread: number, object: number): void {
    this.order.push(event);
    this.columns.op.push(op);
    this.columns.thread.push(thread);
    this.columns.object.push(object);
    if (op === Op.Acquire || op === Op.AcquireShared) this.hold(op, object, thread);
    if (op === Op.Release || op === Op.ReleaseShared) {
      const list = this.holders(op === Op.Release ? this.owners : this.readers, object);
      list.splice(list.indexOf(thread), 1);
    }
    if (op === Op.Send) this.missing.delete(object);
  }

  private hold(op: Op, lock: number, thread: number): void {
    this.holders(op === Op.Acquire ? this.owners : this.readers, lock).push(thread);
  }

  private holders(of: Map<number, number[]>, lock: number): number[] {
    let list = of.get(lock);
    if (!list) of.set(lock, (list = []));
    return list;
  }
}
