/**
 * A run in which nothing but the same timers goes off, again and again, as an interval does that looks after something. They might do
 * something some day; who waits for anything else, for so long a time of the program and so many times, waits in vain.
 */
import type { HostRequest } from '../../monitor/host/request.ts';

/** So many in a row, over so long a time of the program, ms; for fast ones so many, over a shorter time. */
const ROUNDS = { times: 300, ms: 600_000 } as const;
const FAST_ROUNDS = { times: 20_000, ms: 60_000 } as const;

/** What is missing then. */
export const GOES_ROUND = 'unsettled: for long nothing but timers that come again and again has gone off';

export class Rounds {
  /** Timers that have gone off since anything else happened, by what they are. */
  private readonly kinds = new Set<string>();
  private times = 0;
  private since = 0;

  /** Something happened at this time of the program, ms; whether it has gone round for long, once again each time. */
  look({ kind, api, what }: Pick<HostRequest, 'kind' | 'api' | 'what'>, now: number): boolean {
    if (kind !== 'timer') this.kinds.clear();
    const key = `${api} ${what}`;
    if (kind === 'timer' && this.kinds.has(key)) this.times += 1;
    else {
      if (kind === 'timer') this.kinds.add(key);
      this.times = 0;
      this.since = now;
    }
    if (![ROUNDS, FAST_ROUNDS].some(({ times, ms }) => this.times >= times && now - this.since >= ms))
      return false;
    this.times = 0;
    this.since = now;
    return true;
  }
}
