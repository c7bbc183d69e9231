/** Which orders were executed already: a search by chance that brings nothing new is over. */
import { hash } from 'node:crypto';

/** So many runs in a row without a new order end a search. */
const STALE = 10;

export class Novelty {
  private readonly seen = new Set<string>();
  private stale = 0;

  /** One more run took these steps. */
  met(steps: readonly string[]): void {
    const before = this.seen.size;
    this.seen.add(hash('sha1', steps.join('\n')));
    this.stale = this.seen.size > before ? 0 : this.stale + 1;
  }

  /** A search begins. */
  begin(): void {
    this.stale = 0;
  }

  get isOver(): boolean {
    return this.stale >= STALE;
  }
}
