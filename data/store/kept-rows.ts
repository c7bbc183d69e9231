/** What a connection keeps of rows that do not change, since every stage asks for the same ones again. */
import type { Site, Trace } from '../trace.ts';

/** About so many bytes of traces; of more, those that were read first are kept: each stage goes through all of them. */
const MOST_BYTES = 64e6;
const EVENT_BYTES = 13;
/** An object or a name of a trace, about. */
const ITEM_BYTES = 150;

/** Valid as long as nobody else writes and no transaction fails. */
export class KeptRows {
  /** Ids of step names, and the reverse. */
  readonly nameIds = new Map<string, number>();
  readonly names = new Map<number, string>();
  /** Ids of program points by all that they tell, and the reverse. */
  readonly siteIds = new Map<string, number>();
  readonly sites = new Map<number, Site>();
  private readonly traces = new Map<string, Trace>();
  private bytes = 0;

  /** The trace of a test as it was read. */
  traceOf(test: string): Trace | undefined {
    return this.traces.get(test);
  }

  keepTrace(test: string, trace: Trace): void {
    const bytes = bytesOf(trace);
    if (this.bytes + bytes > MOST_BYTES) return;
    this.bytes += bytes;
    this.traces.set(test, trace);
  }

  /** It is recorded anew, or gone. */
  forgetTrace(test: string): void {
    const trace = this.traces.get(test);
    if (trace) this.bytes -= bytesOf(trace);
    this.traces.delete(test);
  }

  forgetAll(): void {
    for (const map of [this.nameIds, this.names, this.siteIds, this.sites, this.traces]) map.clear();
    this.bytes = 0;
  }
}

function bytesOf(trace: Trace): number {
  const { activations, conditions, entities, events, jobs, locks, requests, steps } = trace;
  const items = [activations, conditions, entities, jobs, locks, requests, steps];
  return events.length * EVENT_BYTES + items.reduce((sum, { length }) => sum + length, 0) * ITEM_BYTES;
}
