/**
 * A run in which nothing but the same timers goes off, again and again, as an interval does that looks after something. They might do
 * something some day; who waits for anything else, for so long a time of the program and so many times, waits in vain. What polls up to a
 * time of its own looks at the clock. For intervals that keep nothing alive nobody waits, which is known much sooner.
 */
import type { HostRequest } from '../../monitor/host/request.ts';

/** So many in a row, over so long a time of the program, ms; for fast ones so many, over a shorter time. */
const ROUNDS = { times: 300, ms: 600_000 } as const;
const FAST_ROUNDS = { times: 20_000, ms: 60_000 } as const;

/** So many firings of unref'd intervals in a row count as nothing happening. */
const UNWAITED = 100;

/** Before so many timers in a row nothing is counted: it would cost each run, and hardly any goes round. */
const FIRST = 50;

/** What is missing then. */
export const GOES_ROUND = 'unsettled: for long nothing but timers that come again and again has gone off';

type Happened = Pick<HostRequest, 'kind' | 'api' | 'what' | 'ref'>;

export interface GoesRound {
  /** Nothing but timers that come again and again is left of the program, and has been for long. */
  readonly forLong: boolean;
  /** Nothing but unref'd intervals is left, and nothing else has happened for a while. */
  readonly unwaited: boolean;
}
const NOT: GoesRound = { forLong: false, unwaited: false };

export class Rounds {
  /** Timers that have gone off since anything else happened, by what they are. */
  private readonly kinds = new Set<string>();
  private inRow = 0;
  private times = 0;
  private since = 0;
  private asksTime = false;
  /** Unref'd intervals that have gone off since anything else happened. */
  private ticks = 0;

  /** The program looked at the clock: it may go on for as long as it says by itself, and not in vain. */
  clockRead(): void {
    this.asksTime = true;
  }

  /** Something happened at this time of the program, ms, and this is left; it has gone round for long once again each time. */
  look(request: Happened, now: number, pending: () => Iterable<Happened>): GoesRound {
    this.ticks = isTick(request) ? this.ticks + 1 : 0;
    const isLong = this.isLong(request, now);
    // Looking at all that is left costs each firing as much.
    if (!isLong && (this.ticks === 0 || this.ticks % UNWAITED > 0)) return NOT;
    const left = [...pending()];
    return {
      forLong: isLong && left.every((other) => this.knows(other)),
      unwaited: this.ticks >= UNWAITED && left.every(isTick),
    };
  }

  private isLong(request: Happened, now: number): boolean {
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
  private knows(request: Happened): boolean {
    return request.kind === 'timer' && this.kinds.has(keyOf(request));
  }

  private begin(now: number): void {
    this.times = 0;
    this.since = now;
    this.asksTime = false;
  }
}

const isTick = ({ api, ref }: Happened): boolean => api === 'setInterval' && !ref;

const keyOf = ({ api, what }: Happened): string => `${api} ${what}`;
