/** What the gate does not control but must not outrun (C12): sockets, children, workers, watchers, … */

import type { Host } from '../../monitor/host/install.ts';

/** Requests and handles that the gate controls, or that never make progress by themselves. */
const CONTROLLED = new Set([
  'FSReqCallback',
  'FSReqPromise',
  'Timeout',
  'Immediate',
  'TTYWrap',
  // It samples the loop, which does not wait for that.
  'IntervalHistogram',
  // Sockets that the gate does not control are told of as jobs.
  'TCPSocketWrap',
  'TCPServerWrap',
  'UDPWrap',
]);

/** Handles whose events are held when they come; what a child process does besides is its own affair. */
const HELD = new Set(['PipeWrap', 'MessagePort', 'FSEventWrap', 'StatWatcher']);

/** Compares what is alive with what was alive before any run. */
export class Liveness {
  private readonly host: Pick<Host, 'resources' | 'controlled' | 'holds' | 'isLocal'>;
  private before: ReadonlyMap<string, number> = new Map();
  /** Jobs under way that Node does not list, by kind: whether each of them keeps the process alive. */
  private readonly jobs = new Map<string, Set<() => boolean>>();
  /** The last list, which most looks find again, and what of it was not alive before any run. */
  private kinds: readonly string[] = [];
  private newer: ReadonlyMap<string, number> = new Map();

  /** At the last look there were handles that bring only what this thread sends itself. */
  private local = false;
  /** At the last look there were handles that bring something from outside; Node lists none that is unref'd. */
  private handles = false;

  constructor(host: Pick<Host, 'resources' | 'controlled' | 'holds' | 'isLocal'>) {
    // Both are made on first use, which must not look like work of a run.
    void process.stdout;
    void process.stderr;
    this.host = host;
    this.countAnew();
  }

  /** What is alive now is no work of a run. */
  countAnew(): void {
    this.before = count(this.host.resources());
    this.kinds = [];
  }

  /** A job began; the answer is to be called when it is over, and calls `over` then. */
  begin(api: string, over: () => void, keepsAlive: () => boolean = () => true): () => void {
    const job = () => keepsAlive();
    const same = this.jobs.get(api) ?? new Set();
    this.jobs.set(api, same.add(job));
    return () => {
      if (!same.delete(job)) return;
      if (same.size === 0) this.jobs.delete(api);
      over();
    };
  }

  /** Whether events of this kind of work come straight from Node, neither held nor foreseen (C7). */
  isDoubtful(kind: string): boolean {
    return !HELD.has(kind) && !this.jobs.has(kind) && kind !== 'ProcessWrap';
  }

  /** Whether all that comes from this kind of handle is delivered in a turn of its own. */
  isHeld(kind: string): boolean {
    return HELD.has(kind);
  }

  /** The process waits for something besides requests of the gate: a handle, controlled or not, or a job. */
  keepsAlive(): boolean {
    if (this.handles || this.local || this.host.holds()) return true;
    for (const jobs of this.jobs.values()) for (const keepsAlive of jobs) if (keepsAlive()) return true;
    return false;
  }

  /** Un-gated work that is alive now, by kind; null when there is none. `brought`: kinds that other threads gate. */
  alive(brought?: ReadonlySet<string>): ReadonlyMap<string, number> | null {
    const kinds = this.host.resources();
    if (kinds !== this.kinds) {
      this.kinds = kinds;
      this.newer = without(count(kinds), this.before);
    }
    this.local = false;
    this.handles = false;
    if (this.newer.size === 0 && this.jobs.size === 0) return null;
    const more = this.newer.size > 0 ? this.uncontrolled(kinds, brought) : new Map<string, number>();
    this.handles = more.size > 0;
    for (const [api, { size }] of this.jobs) more.set(api, size);
    return more.size > 0 ? more : null;
  }

  /** Handles that are neither controlled, here or by other threads, nor bring only what this thread sends itself. */
  private uncontrolled(kinds: readonly string[], brought?: ReadonlySet<string>): Map<string, number> {
    const more = without(this.newer, this.host.controlled(kinds));
    for (const kind of brought ?? []) more.delete(kind);
    for (const kind of more.keys()) {
      if (!this.host.isLocal(kind)) continue;
      more.delete(kind);
      this.local = true;
    }
    return more;
  }
}

/** What there is more of than in `others`. */
function without(
  counts: ReadonlyMap<string, number>,
  others: ReadonlyMap<string, number>,
): Map<string, number> {
  const more = new Map<string, number>();
  for (const [kind, n] of counts) {
    const extra = n - (others.get(kind) ?? 0);
    if (extra > 0) more.set(kind, extra);
  }
  return more;
}

function count(kinds: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of kinds) if (!CONTROLLED.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
