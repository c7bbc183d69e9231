/** Which orders were executed already: a search that brings nothing new is over. */
import { hash } from 'node:crypto';
import type { Origin } from '../../data/prediction.ts';
import type { RunResult } from '../../data/run.ts';

/** So many runs in a row without a new order end a search, as a rule. */
const STALE = 10;

export class Novelty {
  /** Runs that no prediction led to, as far as their order is known, and how many of these were a new order. */
  tried = 0;
  orders = 0;
  private readonly seen = new Set<string>();
  private stale = 0;

  met({ order, steps }: RunResult, origin: Origin): void {
    if (order === null) return;
    const before = this.seen.size;
    this.seen.add(order ?? hash('sha1', steps.join('\n')));
    const isNew = this.seen.size > before;
    this.stale = isNew ? 0 : this.stale + 1;
    if (origin === 'directed') return;
    this.tried += 1;
    this.orders += Number(isNew);
  }

  /** A search begins. */
  begin(): void {
    this.stale = 0;
  }

  /** So many runs in a row brought no new order. */
  isOver(runs = STALE): boolean {
    return this.stale >= runs;
  }
}
