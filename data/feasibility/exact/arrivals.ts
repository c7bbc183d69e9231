/** What becomes ready outside of the thread pool: sockets that can be read, connections, messages. */

import { NOTHING } from './clock-hypotheses.ts';
import type { Awaited, PoolRequest } from './pool.ts';

/** No sooner than so many ms after a moment of the run. */
export interface After {
  readonly moment: number;
  readonly ms: number;
}

/** How something comes from outside of the pool. The table in docs/feasibility.md has a row for each kind. */
export type Arrival =
  /** The kernel says that a handle is ready: a socket, a watcher, a child. */
  | {
      readonly by: 'handle';
      /** It is there already: the next poll phase does deliver it. */
      readonly prompt?: boolean;
      /** Both ends are in this process: where loopback is strict it is there already. */
      readonly local?: boolean;
      /** When it can have come at the earliest, where another process took its time. */
      readonly after?: After | undefined;
    }
  /** A connection has been shut down: libuv says so in the poll phase in which that was asked for, behind all that it polls for. */
  | {
      readonly by: 'shutdown';
      /** It waited for what was written before, and comes as the end of that. */
      readonly queued?: boolean;
      /** The connection is gone: it may come right behind the turn in which it was asked for. */
      readonly atOnce?: boolean;
      readonly local?: boolean;
    }
  /** A message: it comes with the wake-up of the loop, behind the answers of the pool. */
  | {
      readonly by: 'message';
      /**
       * It is there already: the next poll phase does deliver it; behind an answer of the pool that is the one that is on,
       * unless its port was {@link made} in it.
       */
      readonly prompt?: boolean;
      /** The position at which its port was made; without one: before all that is issued. */
      readonly made?: number;
    }
  /** Threads of the engine worked on it. They wake the loop up, too, but they alone do not keep it alive. */
  | {
      readonly by: 'engine';
      /** They take two poll phases: the immediates of the turn that asks come before. */
      readonly twice?: boolean;
    }
  /** A name server's answer, which Node puts off to the check phase; it comes before immediates. */
  | {
      readonly by: 'resolver';
      /**
       * Node knew it in the call, at this position (-1: before all that is issued): the next check phase begins with it; the
       * one that is on, if it was asked for there. null: it did not.
       */
      readonly known: number | null;
    };

export interface PendingArrival extends Awaited {
  readonly from: 'outside';
  readonly how: Arrival;
  /** What comes first, wherever it is still awaited: its id. */
  readonly behind: number;
  /** The position at which the handle was made through which it comes; -1: before all that is issued. */
  readonly made: number;
  /** Of a shutdown that was not asked for in a poll phase: the next one begins behind it. */
  readonly aheadOfPoll: boolean;
  /** The next poll phase does deliver it. */
  readonly isThere: boolean;
  /** The engine has to come round twice, and a check phase is in between. */
  readonly isTwice: boolean;
  /** Behind which turn it came, as the position at which that began. */
  readonly turn: number;
}

/** What the poll phase may bring. */
export type Pending = PendingArrival | PoolRequest;

/** It is known to be there already. */
export const isPrompt = (how: Arrival): boolean =>
  (how.by === 'handle' || how.by === 'message') && how.prompt === true;

/** Node knew it in the call. */
export const isKnown = ({ how }: PendingArrival): boolean => how.by === 'resolver' && how.known !== null;

export class PendingArrivals {
  /** In the order in which they came. */
  readonly list: PendingArrival[] = [];

  find(id: number): PendingArrival | undefined {
    return this.list.find((arrival) => arrival.id === id);
  }

  /** True where it was there. */
  remove(arrival: Awaited): boolean {
    const at = this.list.indexOf(arrival as PendingArrival);
    if (at >= 0) this.list.splice(at, 1);
    return at >= 0;
  }

  /** What no check phase passes over, the one that was asked for first. */
  get known(): PendingArrival | undefined {
    return this.list.find(isKnown);
  }

  /** The position of the earliest that no poll phase passes over. */
  get there(): number {
    return earliest(this.list);
  }

  /** The same of what the poll phase polls for. */
  get polled(): number {
    return earliest(this.list.filter(({ how }) => how.by !== 'shutdown'));
  }

  /** Whether nothing but threads of the engine is at work. */
  get areOfEngine(): boolean {
    return this.list.every(({ how }) => how.by === 'engine');
  }
}

function earliest(list: readonly PendingArrival[]): number {
  let first = NOTHING;
  for (const { isThere, seq } of list) if (isThere) first = Math.min(first, seq);
  return first;
}
