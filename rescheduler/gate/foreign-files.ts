/**
 * Requests for files that the gate has not taken: what hooks have asked for before a run, and what it has begun since. Some of those that
 * Node lists are only not collected yet, so they are waited for only so long; those that come and go are under way.
 */
import type { Host } from '../../monitor/host/install.ts';

/** Looks in which none came and none went, after which nothing is under way. */
const UNSURE_LOOKS = 22;

export class ForeignFiles {
  private readonly host: Pick<Host, 'foreignFiles'>;
  private known: ReadonlySet<object> = new Set();
  private looks = 0;

  constructor(host: Pick<Host, 'foreignFiles'>) {
    this.host = host;
  }

  /** From here on it is waited anew. */
  begin(): void {
    this.known = new Set();
    this.looks = 0;
  }

  /** Whether some may be under way; asked once in a turn of the real loop, or more rarely. */
  mayCome(): boolean {
    const now = this.host.foreignFiles();
    if (now.length === 0) {
      this.known = new Set();
      return false;
    }
    const isSame = now.length === this.known.size && now.every((each) => this.known.has(each));
    if (!isSame) this.looks = 0;
    this.known = new Set(now);
    return this.looks++ < UNSURE_LOOKS;
  }
}
