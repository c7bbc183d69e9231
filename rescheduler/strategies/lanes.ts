/**
 * Random orders in which one activity stays behind: each has a priority, and the highest that can go on does
 * (probabilistic concurrency testing, Burckhardt et al., ASPLOS 2010). Choosing evenly step by step hardly ever
 * holds one answer back while another activity goes through a dozen; this does in every other run.
 */
import { requestOf } from '../../data/schedule-step.ts';
import { RandomStrategy } from './random.ts';
import type { ReadyStep } from './strategy.ts';

/** How often what an activity starts goes on with its priority. */
const INHERITS = 0.6;
/** How often the activity that runs falls behind all others. */
const FALLS = 0.03;

export class LaneStrategy extends RandomStrategy {
  private readonly priorities = new Map<string, number>();
  private lowest = 0;

  protected override pick(among: readonly ReadyStep[]): ReadyStep {
    let best = among[0] as ReadyStep;
    for (const step of among) if (this.priorityOf(step) > this.priorityOf(best)) best = step;
    if (this.next() < FALLS) this.priorities.set(laneOf(best), --this.lowest);
    return best;
  }

  private priorityOf(step: ReadyStep): number {
    return this.priority(laneOf(step));
  }

  private priority(lane: string): number {
    const known = this.priorities.get(lane);
    if (known !== undefined) return known;
    const parent = callerOf(lane);
    const priority = parent !== '' && this.next() < INHERITS ? this.priority(parent) : this.next();
    this.priorities.set(lane, priority);
    return priority;
  }
}

/** The activation that made a request, by path; what the body of a test asks for is an activity of its own. */
function laneOf({ name }: ReadyStep): string {
  const request = requestOf(name);
  const caller = callerOf(request);
  return callerOf(caller) === '' ? request : caller;
}

/** A path without its last part; empty for a root. */
function callerOf(path: string): string {
  return path.slice(0, Math.max(0, path.search(/[.|>!][^.|>!]*$/)));
}
