/** What becomes ready outside of the thread pool: sockets that can be read, connections, messages. */
import type { Awaited } from './pool.ts';
import { NOTHING } from './readings.ts';

/** How something comes from outside of the pool. */
export interface Manner {
  /** It waits for nobody: libuv answers it in the poll phase in which it was issued, behind all that is polled for. */
  readonly behindPoll?: boolean;
  /** It did wait, for what was written before: it comes as the end of that. */
  readonly queued?: boolean;
  /** The same, or right behind the turn in which it was issued. */
  readonly atOnce?: boolean;
  /** Node delivers it in the check phase, before immediates. */
  readonly putOff?: boolean;
  /** {@link putOff}, and known in the call: the next check phase begins with it; the one that is on, if it was {@link made} there. */
  readonly known?: boolean;
  /** It comes with the wake-up of the loop, behind the answers of the pool. */
  readonly wakes?: boolean;
  /**
   * The next poll phase does deliver it; behind an answer of the pool it is the one that is on, unless what it comes
   * through was {@link made} in it.
   */
  readonly prompt?: boolean;
  /** Both ends of what it comes through are in this process: where loopback is strict the next poll phase does deliver it. */
  readonly local?: boolean;
  /** Threads of the engine work on it, and they alone do not keep the loop alive: it may come when that is over. */
  readonly engine?: boolean;
  /** Of the engine, which takes two poll phases for it: the immediates of the turn that asks come before. */
  readonly uncached?: boolean;
  /** The position at which the handle was made through which it comes, or it was asked for; -1: before all that is issued. */
  readonly made?: number;
  /** When it can have come at the earliest: so many ms after a moment. */
  readonly after?: { readonly moment: number; readonly ms: number } | undefined;
  /** What comes first, wherever it is still awaited: its id. */
  readonly behind?: number | undefined;
}

export interface Arrival extends Awaited, Manner {
  readonly made: number;
  /** {@link behindPoll}, but not asked for in a poll phase: the next one begins behind it. */
  readonly aheadOfPoll: boolean;
  /** {@link prompt}, or {@link local} where that means the same. */
  readonly isThere: boolean;
  /** Behind which turn it came, as the position at which that began. */
  readonly turn: number;
}

export class Arrivals {
  /** In the order in which they came. */
  readonly list: Arrival[] = [];

  find(id: number): Arrival | undefined {
    return this.list.find((arrival) => arrival.id === id);
  }

  /** True where it was there. */
  remove(arrival: Awaited): boolean {
    const at = this.list.indexOf(arrival as Arrival);
    if (at >= 0) this.list.splice(at, 1);
    return at >= 0;
  }

  /** What no check phase passes over, the one that was asked for first. */
  get known(): Arrival | undefined {
    return this.list.find(({ known }) => known);
  }

  /** The position of the earliest that no poll phase passes over. */
  get there(): number {
    return earliest(this.list);
  }

  /** The same of what the poll phase polls for. */
  get polled(): number {
    return earliest(this.list.filter(({ behindPoll }) => !behindPoll));
  }

  /** Whether nothing but threads of the engine is at work. */
  get areOfEngine(): boolean {
    return this.list.every(({ engine }) => engine);
  }
}

function earliest(list: readonly Arrival[]): number {
  let first = NOTHING;
  for (const { isThere, seq } of list) if (isThere) first = Math.min(first, seq);
  return first;
}
