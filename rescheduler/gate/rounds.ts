/**
 * A run in which nothing but the same timers goes off, again and again, as an interval does that looks after something. They might do
 * something some day; who waits for anything else, for so long a time of the program and so many times, waits in vain. What polls up to a
 * time of its own looks at the clock.
 */
import type { HostRequest } from '../../monitor/host/request.ts';

/** So many in a row, over so long a time of the program, ms; for fast ones so many, over a shorter time. */
const ROUNDS = { times: 300, ms: 600_000 } as const;
const FAST_ROUNDS = { times: 20_000, ms: 60_000 } as const;

/** Before so many timers in a row nothing is counted: it would cost each run, and hardly any goes round. */
const FIRST = 50;

/** What is missing then. */
export const GOES_ROUND = 'unsettled: for long nothing but timers that come again and again has gone off';

type Happened = Pick<HostRequest, 'kind' | 'api' | 'what'>;

export class Rounds {
  /** Timers that have gone off since anything else happened, by what they are. */
  private readonly kinds = new Set<string>();
  private inRow = 0;
  private times = 0;
  private since = 0;
  private asksTime = false;

  /** The program looked at the clock: it may go on for as long as it says by itself, and not in vain. */
  clockRead(): void {
    this.asksTime = true;
  }

  /** Something happened at this time of the program, ms; whether it has gone round for long, once again each time. */
  look(request: Happened, now: number): boolean {
    if (request.kind !== 'timer') {
      if (this.inRow > FIRST) this.kinds.clear();
      this.inRow = 0;
      return false;
    }
    if (++this.inRow <= FIRST) return false;
    if (this.knows(request)) this.times += 1;
    else {
      this.kinds.add(keyOf(request));
      this.begin(now);
    }
    if (![ROUNDS, FAST_ROUNDS].some(({ times, ms }) => this.times >= times && now - this.since >= ms))
      return false;
    const { asksTime } = this;
    this.begin(now);
    return !asksTime;
  }

  /** It is a timer of those that come again and again. */
  knows(request: Happened): boolean {
    return request.kind === 'timer' && this.kinds.has(keyOf(request));
  }

  private begin(now: number): void {
    this.times = 0;
    this.since = now;
    this.asksTime = false;
  }
}

const keyOf = ({ api, what }: Happened): string => `${api} ${what}`;
