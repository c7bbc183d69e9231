/**
 * A partial order under construction over a *cut*: for each thread a number of nodes that are to be done.
 * It is saturated: whatever the must-order, the chosen edges and the exclusion of locks imply, holds.
 *
 * For two sections of one lock in different threads, both begun in the cut:
 * - one that cannot be released within the bounds comes after the other;
 * - if the acquire of one is before the release (or, while open, the acquire) of the other, it comes first;
 * - coming first means that its release belongs to the cut and is before the other's acquire.
 * A cycle, or a release out of bounds, is a contradiction. Everything can be undone, back to any mark.
 *
 * Reachability is kept as vector clocks (threads are chains), so it costs nodes × threads of memory.
 */
import { type LockSections, NodeKind, type Skeleton } from './skeleton.ts';

/** "Node `after`, once it is in the cut, comes after `before`": a condition of one question. */
export interface Extra {
  readonly before: number;
  readonly after: number;
}

export class Order {
  readonly skeleton: Skeleton;
  /** Clocks, then cut, then heads of the edge lists, then the number of edges; one array so that all is undone alike. */
  private readonly state: Int32Array;
  private readonly cutAt: number;
  private readonly headAt: number;
  private readonly countAt: number;
  private readonly edgeTo: number[] = [];
  private readonly edgeNext: number[] = [];
  private readonly trail: number[] = [];
  private readonly queue: number[] = [];
  private readonly queued: Uint8Array;
  private most: ArrayLike<number> = [];
  private extra: Extra | null = null;

  constructor(skeleton: Skeleton) {
    const { nodes, threads } = skeleton;
    this.skeleton = skeleton;
    this.cutAt = nodes * threads;
    this.headAt = this.cutAt + threads;
    this.countAt = this.headAt + nodes;
    this.state = new Int32Array(this.countAt + 1);
    // Heads are stored plus one: all zeros is the empty order.
    this.queued = new Uint8Array(nodes);
  }

  /** Starts anew: every thread does at least `least` and at most `most` nodes. False on contradiction. */
  begin(least: ArrayLike<number>, most: ArrayLike<number>, extra: Extra | null): boolean {
    this.undo(0);
    this.most = most;
    this.extra = extra;
    const { must, threads, base } = this.skeleton;
    if (extra) {
      const t = this.skeleton.threadOf[extra.after]!;
      if (must[extra.before * threads + t]! > extra.after - base[t]!) return false;
    }
    for (let u = 0; u < threads; u++) if (!this.include(u, least[u]!)) return this.fail();
    return this.settle();
  }

  /** How many nodes of a thread are in the cut. */
  cut(thread: number): number {
    return this.state[this.cutAt + thread]!;
  }

  /** How many nodes of `thread` are done when `node` is done. */
  clock(node: number, thread: number): number {
    return this.state[node * this.skeleton.threads + thread]!;
  }

  mark(): number {
    return this.trail.length;
  }

  undo(mark: number): void {
    const { trail, state } = this;
    while (trail.length > mark) {
      const old = trail.pop()!;
      state[trail.pop()!] = old;
    }
  }

  /** The section of `first` comes before that of `second` (both acquires). False on contradiction. */
  putBefore(first: number, second: number): boolean {
    return this.precede(first, second) ? this.settle() : this.fail();
  }

  /** Where a section stands. Only an extensible one leaves anything to decide. */
  standing(acquire: number): 'closed' | 'extensible' | 'held' {
    const release = this.skeleton.match[acquire]!;
    if (release < 0) return 'held';
    const t = this.skeleton.threadOf[acquire]!;
    const index = release - this.skeleton.base[t]!;
    if (index < this.cut(t)) return 'closed';
    return index < this.most[t]! ? 'extensible' : 'held';
  }

  /** Whether the section of `first` is known to come before that of `second`. */
  isBefore(first: number, second: number): boolean {
    const release = this.skeleton.match[first]!;
    const t = this.skeleton.threadOf[first]!;
    return release >= 0 && this.clock(second, t) > release - this.skeleton.base[t]!;
  }

  /** The last of these sections that is begun in the cut; -1 if none is. */
  lastBegun({ thread, acquires }: LockSections, limit = this.cut(thread)): number {
    const end = this.skeleton.base[thread]! + limit;
    let low = 0;
    let high = acquires.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (acquires[middle]! < end) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? -1 : acquires[low - 1]!;
  }

  /** The first of these sections at or behind position `done` that is in the cut; -1 if none is. */
  nextBegun({ thread, acquires }: LockSections, done: number): number {
    const { base } = this.skeleton;
    const from = base[thread]! + done;
    let low = 0;
    let high = acquires.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (acquires[middle]! < from) low = middle + 1;
      else high = middle;
    }
    const found = acquires[low];
    return found !== undefined && found < base[thread]! + this.cut(thread) ? found : -1;
  }

  private set(address: number, value: number): void {
    this.trail.push(address, this.state[address]!);
    this.state[address] = value;
  }

  /** Brings the first `count` nodes of a thread into the cut, with all that they need. */
  private include(thread: number, count: number): boolean {
    if (count > this.most[thread]!) return false;
    const { base, needs } = this.skeleton;
    for (let index = this.cut(thread); index < count; index = this.cut(thread)) {
      const node = base[thread]! + index;
      for (const need of needs[node]!) if (!this.includeNode(need)) return false;
      const late = this.extra?.after === node ? this.extra.before : -1;
      if (late >= 0 && !this.includeNode(late)) return false;
      this.set(this.cutAt + thread, index + 1);
      this.set(node * this.skeleton.threads + thread, index + 1);
      if (index > 0 && !this.join(node, node - 1)) return false;
      for (const need of needs[node]!) if (!this.join(node, need)) return false;
      if (late >= 0 && !this.join(node, late)) return false;
      this.enqueue(node);
    }
    return true;
  }

  private includeNode(node: number): boolean {
    const t = this.skeleton.threadOf[node]!;
    return this.include(t, node - this.skeleton.base[t]! + 1);
  }

  /** `node` comes after all that `other` comes after. */
  private join(node: number, other: number): boolean {
    const { threads, threadOf, base } = this.skeleton;
    const to = node * threads;
    const from = other * threads;
    let changed = false;
    for (let u = 0; u < threads; u++)
      if (this.state[from + u]! > this.state[to + u]!) {
        this.set(to + u, this.state[from + u]!);
        changed = true;
      }
    if (changed) this.enqueue(node);
    const own = threadOf[node]!;
    return this.state[to + own]! <= node - base[own]! + 1;
  }

  private enqueue(node: number): void {
    if (this.queued[node]) return;
    this.queued[node] = 1;
    this.queue.push(node);
  }

  /** To the fixpoint. */
  private settle(): boolean {
    for (let node = this.queue.pop(); node !== undefined; node = this.queue.pop()) {
      this.queued[node] = 0;
      if (!this.spread(node) || !this.exclude(node)) return this.fail();
    }
    return true;
  }

  private fail(): false {
    for (const node of this.queue) this.queued[node] = 0;
    this.queue.length = 0;
    return false;
  }

  private isIn(node: number): boolean {
    const t = this.skeleton.threadOf[node]!;
    return node - this.skeleton.base[t]! < this.cut(t);
  }

  /** What `node` comes after, its successors come after. */
  private spread(node: number): boolean {
    const { threadOf, base, neededBy } = this.skeleton;
    const next = node + 1;
    if (next < base[threadOf[node]! + 1]! && this.isIn(next) && !this.join(next, node)) return false;
    for (const dependent of neededBy[node]!)
      if (this.isIn(dependent) && !this.join(dependent, node)) return false;
    const { extra } = this;
    if (extra?.before === node && this.isIn(extra.after) && !this.join(extra.after, node)) return false;
    for (let edge = this.state[this.headAt + node]! - 1; edge >= 0; edge = this.edgeNext[edge]!)
      if (!this.join(this.edgeTo[edge]!, node)) return false;
    return true;
  }

  /** What the exclusion of locks implies for a node that is new or has moved. */
  private exclude(node: number): boolean {
    const { kind, match, rivals } = this.skeleton;
    if (kind[node] === NodeKind.Other) return true;
    const acquire = kind[node] === NodeKind.Acquire ? node : match[node]!;
    for (const rival of rivals[acquire]!) {
      const earlier = this.lastBegun(rival, Math.min(this.clock(node, rival.thread), this.cut(rival.thread)));
      if (node !== acquire || this.standing(acquire) !== 'closed')
        if (earlier >= 0 && !this.precede(earlier, acquire)) return false;
      if (node !== acquire) continue;
      const last = this.lastBegun(rival);
      if (last < 0) continue;
      if (this.standing(acquire) === 'held' && !this.precede(last, acquire)) return false;
      if (this.standing(last) === 'held' && !this.precede(acquire, last)) return false;
    }
    return true;
  }

  private precede(first: number, second: number): boolean {
    const release = this.skeleton.match[first]!;
    return release >= 0 && this.includeNode(release) && this.edge(release, second);
  }

  private edge(from: number, to: number): boolean {
    const { threadOf, base } = this.skeleton;
    const t = threadOf[from]!;
    const u = threadOf[to]!;
    if (this.clock(to, t) > from - base[t]!) return true;
    if (this.clock(from, u) > to - base[u]!) return false;
    const edge = this.state[this.countAt]!;
    this.edgeTo[edge] = to;
    this.edgeNext[edge] = this.state[this.headAt + from]! - 1;
    this.set(this.headAt + from, edge + 1);
    this.set(this.countAt, edge + 1);
    return this.join(to, from);
  }
}
