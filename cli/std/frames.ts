/** What of a trace is looked at to explain a triple: all of a trace that is not too long, else a window. */
import { Op, reordered, type ThreadTrace } from '../../data/threads/trace.ts';
import { extract } from '../../predictor/threads/long/extract.ts';
import type { Occurrence } from '../../predictor/threads/occurrences.ts';
import { Reach } from '../../predictor/threads/reach.ts';
import { skeletonOf } from '../../predictor/threads/skeleton.ts';
import type { TraceFrame } from './detail.ts';
import type { TraceSource } from './source.ts';

/** Traces of more events are looked at through windows. */
const LONG = 300_000;
/** Events that a window has beyond the accesses, and how many times their distance before them. */
const [MARGIN, BEFORE] = [4096, 4];

/** A triple, and how many events come before the schedule that is known of it. */
export type Wanted = Occurrence & { readonly observed?: number };

export class Frames {
  private readonly source: TraceSource;
  private all: TraceFrame | null = null;

  constructor(source: TraceSource) {
    this.source = source;
  }

  of(triple: Wanted): TraceFrame {
    const { long, whole } = this.source;
    if (long.counts.events <= LONG && whole) return (this.all ??= frameOf(whole, 0, 0));
    const low = Math.min(triple.first, triple.remote);
    const high = Math.max(triple.second, triple.remote);
    const from = Math.max(0, triple.observed ?? low - MARGIN - BEFORE * (high - low));
    const { trace, shift } = extract(long, from, high + MARGIN);
    return frameOf(trace, shift, from);
  }

  /** The trace that the schedule of a cut point would leave, from where it is not as observed. */
  scheduleOf(triple: Wanted): ThreadTrace {
    const { observed, reach, shift, trace } = this.of(triple);
    const [first, remote, second] = [triple.first - shift, triple.remote - shift, triple.second - shift];
    const reached = reach.reach({ first, remote, second });
    if (reached === null || reached === 'undecided') throw new Error('a cut point is reachable');
    // Other tools know no barriers: the one that opens a window has done its work.
    const barrier = observed > 0 ? trace.names.channels.length - 1 : -1;
    const isOpening = (event: number): boolean =>
      (trace.events.op[event] === Op.Arrive || trace.events.op[event] === Op.Leave) &&
      trace.events.object[event] === barrier;
    return reordered(
      trace,
      reached.schedule.filter((event) => !isOpening(event)),
    );
  }
}

function frameOf(trace: ThreadTrace, shift: number, observed: number): TraceFrame {
  const skeleton = skeletonOf(trace);
  return { trace, skeleton, reach: new Reach(skeleton), shift, observed };
}
