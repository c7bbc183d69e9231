/**
 * Decides occurrences of a long trace within windows of it: all before a window runs as observed. What a window
 * allows, the trace allows; what it does not, a larger one may. The search is exact within a window (decide.ts).
 */
import type { ThreadNames } from '../../../data/threads/trace.ts';
import type { Occurrence } from '../occurrences.ts';
import { rank } from '../rank.ts';
import { Reach } from '../reach.ts';
import { type Effort, reduceSwitches, switchesOf } from '../reduce.ts';
import type { Representative } from '../representatives.ts';
import { skeletonOf } from '../skeleton.ts';
import type { Block } from './blocks.ts';
import { windowOf } from './frontier.ts';

/** Windows are tried from small to large: times that the distance of the accesses is added before, events behind. */
const SIZES: readonly (readonly [before: number, behind: number])[] = [
  [0, 64],
  [4, 1024],
  [64, 4096],
];
/** Choices that deciding one occurrence in one window may cost. */
const CHOICES = 2000;
/** What its reduction may cost. */
const EFFORT: Effort = { states: 300, beam: 50_000 };

/** Events behind an occurrence that the largest window wants. */
export const BEHIND = SIZES.at(-1)![1];

interface WindowResult {
  /** Null: not reached in these windows. */
  readonly cutPoint: Representative | null;
  /** Events that were looked at, and twice those of schedules. */
  readonly work: number;
}

/** Decides an occurrence that lies within a block. */
export function attempt(block: Block, names: ThreadNames, occurrence: Occurrence): WindowResult {
  const low = Math.min(occurrence.first, occurrence.remote);
  const high = Math.max(occurrence.second, occurrence.remote);
  const end = block.from + block.events.length;
  let cutPoint: Representative | null = null;
  let work = 0;
  for (const [before, behind] of SIZES) {
    const from = Math.max(block.from, low - before * (high - low));
    const to = Math.min(end, high + 1 + behind);
    const found = within(block, names, occurrence, from, to);
    work += to - from + (found ? 2 * found.schedule.length : 0);
    if (found && (cutPoint === null || found.completes)) cutPoint = found;
    if (cutPoint?.completes || (from === block.from && to === end)) break;
  }
  return { cutPoint, work };
}

function within(
  { before, events, from: offset }: Block,
  names: ThreadNames,
  occurrence: Occurrence,
  from: number,
  to: number,
): Representative | null {
  const frontier = before.copy();
  for (let i = 0; i < from - offset; i++) frontier.step(events.op[i]!, events.thread[i]!, events.object[i]!);
  const { trace, shift } = windowOf({ events, names, offset }, frontier, from, to);
  const moved = {
    ...occurrence,
    first: occurrence.first - shift,
    remote: occurrence.remote - shift,
    second: occurrence.second - shift,
  };
  const skeleton = skeletonOf(trace);
  const reached = new Reach(skeleton, CHOICES).reach(moved);
  if (reached === null || reached === 'undecided') return null;
  // What opens the window has been done by the events before it.
  const opened = (order: Int32Array): Int32Array => order.filter((event) => event + shift >= from);
  const schedule = opened(reached.schedule);
  const reduced = opened(reduceSwitches(skeleton, reached.schedule, EFFORT).schedule);
  const after = switchesOf(skeleton, reduced);
  const { score, reasons } = rank(skeleton, moved, reached.completes, after);
  const outside = (order: Int32Array): Int32Array => order.map((event) => event + shift);
  return {
    ...occurrence,
    completes: reached.completes,
    observed: from,
    schedule: outside(schedule),
    alike: 1,
    reduced: { schedule: outside(reduced), before: switchesOf(skeleton, schedule), after },
    rank: score,
    reasons,
  };
}
