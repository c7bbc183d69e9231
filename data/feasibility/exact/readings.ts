/**
 * Two timers that fire one after the other may have been due in one timers phase or in two, a phase in which nothing
 * fired may have overlooked something, two answers may have come in one poll phase or in two: nobody sees which, and
 * what comes later decides. So a run has several readings, each with times of its own. A step is possible if one of
 * them allows it, and ends those that do not.
 */
import { Blocked } from './blocked.ts';
import type { Outlook } from './outlook.ts';
import type { Awaited } from './pool.ts';
import { Timeline } from './timeline.ts';
import { PendingTimers, type Timer, TimerLists } from './timer-lists.ts';
import { type FiringTimer, type StartedTimer, Timers } from './timers.ts';
import type { Exit, Sleep } from './ways.ts';

interface Reading {
  readonly timeline: Timeline;
  readonly timers: Timers;
  /** How much later than in the first reading something must have happened, ms. */
  presumes: number;
  /** What was issued up to here can arrive in the present poll phase. */
  pollStart: number;
  /**
   * The same of the thread pool, all of whose answers of one poll phase come together: what ended until then is among
   * them, even if it was asked for in this phase, before their turn.
   */
  poolStart: number;
}

/** Of which kind an answer of the poll phase is; `message`: the same wake-up brings it, behind all of the pool. */
export type Source = 'pool' | 'message' | 'elsewhere';

/** Nothing is owed. */
export const NOTHING = Number.POSITIVE_INFINITY;

/**
 * The poll phase that is on cannot end yet: it began when `owed`, the position of something that the next poll phase
 * must bring, had been issued.
 */
const isOwing = ({ pollStart }: Reading, owed: number): boolean => owed < pollStart;

/** So many are kept, those first that presume least; what is given up only makes an order look infeasible. */
const MOST_READINGS = 24;
/** The same of those that one step makes, before the needless are told. */
const MOST_AT_ONCE = 96;
/** A run of so many moments is long: each reading takes time at every step, so that only these many are kept. */
const LONG = 500;
const MOST_IN_LONG = 10;
/** So many moments are looked at in one step to tell which readings are needless. */
const MOST_LOOKS = 100_000;

export class Readings {
  readonly blocked = new Blocked();
  private readonly pending = new PendingTimers();
  private readonly wakes: boolean;
  /** The first is the one that is told. */
  private list: Reading[];
  /** Readings were given up, and with them orders that only they allow. */
  incomplete = false;
  /** The moment of the latest doubt about phases. */
  private doubt = -1;
  /** Grows with every reading that begins or ends. */
  private generation = 0;

  /**
   * `farthest`: no moment moves by more than this at once, ms. `wakes`: see {@link isAmong}. The others: see
   * {@link Timers}.
   */
  constructor(farthest: number, ordered: boolean, longestPause: number, wakes: boolean) {
    this.wakes = wakes;
    const timeline = new Timeline(farthest);
    const lists = new TimerLists(timeline, this.pending);
    this.list = [
      {
        timeline,
        timers: new Timers(timeline, ordered, longestPause, this.blocked, lists),
        presumes: 0,
        pollStart: 0,
        poolStart: 0,
      },
    ];
  }

  release(): void {
    for (const { timeline } of this.list) timeline.release();
  }

  private get first(): Reading {
    return this.list[0] as Reading;
  }

  /** The times that are told. */
  get timeline(): Timeline {
    return this.first.timeline;
  }

  /** What is pending, and how it was started: the same in all readings. */
  get timers(): Timers {
    return this.first.timers;
  }

  /** Another number whenever anything changed. */
  get version(): number {
    let version = this.generation * 2 ** 28;
    for (const { timeline, timers } of this.list) version += timeline.version + timers.version;
    return version;
  }

  /** A further moment: see {@link Timeline.add}. */
  add(at: number, anchor = -1, within = Number.POSITIVE_INFINITY): number {
    for (const { timeline } of this.list) timeline.add(at, anchor, within);
    return this.timeline.last;
  }

  /** So much time passes until a further moment, which is bounded like those that are added. */
  wait(ms: number, anchor: number, within: number): void {
    for (const { timeline } of this.list) timeline.wait(ms, anchor, within);
    this.blocked.add(this.timeline.last, ms);
  }

  /** The moment of an answer, within so many ms of {@link Awaited.since}: the loop may sleep until it is there. */
  answer({ since, lead }: Awaited, within: number): number {
    for (const { timeline, timers } of this.list) {
      timeline.add(lead > 0 ? timeline.timeOf(since) + lead : 0, since, within);
      if (lead === 0) continue;
      timeline.keep(since, timeline.last, lead);
      timers.keepSlept();
    }
    return this.timeline.last;
  }

  /** By how much timers would be late, at most, at a time to come, ms. */
  overdue(at: number): number {
    return Math.max(...this.list.map(({ timers }) => timers.overdue(at)));
  }

  readClock(): number {
    const time = this.timeline.read();
    this.keep(
      ({ timeline, timers }) => timeline === this.timeline || (timeline.readAs(time) && timers.isSound()),
    );
    return time;
  }

  tell(moment: number): number {
    const time = this.timeline.tell(moment);
    this.keep(
      ({ timeline, timers }) =>
        timeline === this.timeline || (timeline.toldAs(moment, time) && timers.isSound()),
    );
    return time;
  }

  start(id: number, delay: number, { ref, cause, ticking, repeats, since }: StartedTimer): void {
    const again = since >= 0;
    const timer: Timer = { id, delay, start: again ? since : this.timeline.last, cause, repeats, ref };
    for (const { timers } of this.list) timers.start(timer, ticking, again);
    this.pending.add(timer);
  }

  cancel(id: number, putOff: boolean, ticking: boolean): void {
    this.goOn(
      ({ timers }) => timers.takings(id, ticking),
      ({ timers }, taking) => {
        timers.cancel(id, putOff, ticking, taking);
        return 0;
      },
      this.pending.get(id),
    );
    this.settle();
  }

  setRef(id: number, ref: boolean): void {
    const timer = this.timers.find(id);
    if (timer) timer.ref = ref;
  }

  /** See {@link Timers.isStale}. */
  get isStale(): boolean {
    return this.list.some(({ timers }) => timers.isStale);
  }

  /** What may fire next, as the first reading tells it that allows it. `owed`: see {@link isOwing}. */
  candidates(sleep: Sleep, owed: number): FiringTimer[] {
    const found: FiringTimer[] = [];
    for (const reading of this.list) {
      if (isOwing(reading, owed)) continue;
      const { timers, presumes } = reading;
      for (const { id, at, pause } of timers.candidates(sleep, found))
        if (!found.some((known) => known.id === id)) found.push({ id, at, pause: Math.max(pause, presumes) });
    }
    return found;
  }

  /** Fires a timer in every reading that allows it, in every phase in which it may. */
  fire(id: number, within: number, sleep: Sleep, owed: number): void {
    this.goOn(
      (reading) => (isOwing(reading, owed) ? [] : reading.timers.ways(id, sleep)),
      ({ timers }, way) => timers.fire(id, way, within, sleep),
      this.pending.get(id),
    );
    this.settle();
  }

  /** By how much something has to move for the loop to leave its timers phase; null where it cannot. */
  passing(again: boolean, asleep: boolean, owed: number): number | null {
    for (const reading of this.list) {
      if (isOwing(reading, owed)) continue;
      const { timeline, timers, presumes } = reading;
      const shift = timers.passing(again, asleep);
      if (shift !== null) return timeline === this.timeline ? shift : Math.max(shift, presumes);
    }
    return null;
  }

  /**
   * The loop leaves its timers phase; what was issued up to `seq` can arrive in the poll phase that follows, whose first
   * answer is of the given kind, if it has any.
   */
  pass(again: boolean, asleep: boolean, seq: number, source: Source, owed: number): void {
    this.goOn(
      (reading) => (isOwing(reading, owed) ? [] : reading.timers.exits(again, asleep)),
      (reading, way) => pass(reading, again, way, seq, source),
    );
  }

  /** By how much something has to move for this to arrive in the poll phase that is on; null where it cannot. */
  arriving(issued: number, source: Source): number | null {
    const reading = this.list.find((reading) => isAmong(reading, issued, source, this.wakes));
    if (!reading) return null;
    return reading === this.first ? 0 : reading.presumes;
  }

  /**
   * It arrives in the poll phase that is on or, where it `may`, in that of another round; `latest` is the position of
   * what was issued last of all else that waits.
   */
  arrive(issued: number, source: Source, may: boolean, latest: number, seq: number, owed: number): void {
    this.goOn<'stay' | Exit>(
      (reading) => {
        const { timers, pollStart, poolStart } = reading;
        const stay = isAmong(reading, issued, source, this.wakes) ? (['stay'] as const) : [];
        // Another round could bring nothing more now; if it has to be, it can begin later as well.
        const isAll =
          latest < pollStart &&
          latest < poolStart &&
          (source === 'pool' || poolStart === Number.POSITIVE_INFINITY);
        if (!may || isOwing(reading, owed) || (stay.length > 0 && isAll)) return stay;
        // Another round allows more, unless it owes something; else only timers could tell the difference.
        const rounds = timers.exits(true, true);
        if (timers.isFree(true, true)) return owed === NOTHING ? rounds : [...rounds, ...stay];
        const [first, ...others] = rounds;
        const asksNothing = first && first.way !== 'overlooked' && timers.passing(true, true) === 0;
        return asksNothing ? [first, ...stay, ...others] : [...stay, ...rounds];
      },
      (reading, way) => {
        if (way !== 'stay') return pass(reading, true, way, seq, source);
        reading.poolStart = behind(reading.poolStart, source, seq);
        return 0;
      },
    );
    this.settle();
  }

  /** Whether the poll phase that is on may be over. */
  mayEnd(owed: number): boolean {
    return this.list.some((reading) => !isOwing(reading, owed));
  }

  /** Nothing more arrives in the poll phase that is on. */
  polled(owed: number): void {
    this.keep((reading) => !isOwing(reading, owed));
    for (const reading of this.list) {
      reading.pollStart = -1;
      reading.poolStart = -1;
    }
  }

  /** Every reading goes on in all ways that it offers, and ends where it offers none. `gone`: what is no longer pending then. */
  private goOn<Way>(
    waysOf: (reading: Reading) => readonly Way[],
    go: (reading: Reading, way: Way) => number,
    gone?: Timer,
  ): void {
    const natural: Reading[] = [];
    const others: Reading[] = [];
    for (const reading of this.list) {
      const ways = waysOf(reading);
      if (ways.length === 0) continue;
      const room = (this.isLong ? MOST_IN_LONG : MOST_AT_ONCE) - others.length;
      if (ways.length - 1 > room) this.incomplete = true;
      for (let at = 1; at < ways.length && at <= room; at++)
        others.push(another(reading, ways[at] as Way, go));
      go(reading, ways[0] as Way);
      natural.push(reading);
    }
    if (natural.length === 0) throw new Error('no reading of the run allows this step');
    if (gone) this.pending.remove(gone);
    if (others.length > 0) this.doubt = this.timeline.last;
    if (others.length > 0 || this.list.length > 1) this.replace([...natural, ...others]);
  }

  private keep(holds: (reading: Reading) => boolean): void {
    if (this.list.length > 1) this.replace(this.list.filter(holds));
  }

  private get isLong(): boolean {
    return this.timeline.last >= LONG;
  }

  private replace(list: readonly Reading[]): void {
    const most = this.isLong ? MOST_IN_LONG : MOST_READINGS;
    const different = list.length > most ? needed(list) : list;
    const kept = different.slice(0, most);
    if (kept.length < different.length) this.incomplete = true;
    for (const reading of this.list) if (!kept.includes(reading)) reading.timeline.release();
    for (const reading of list)
      if (!kept.includes(reading) && !this.list.includes(reading)) reading.timeline.release();
    if (kept.length !== this.list.length || kept[0] !== this.first) this.generation += 1;
    this.list = kept;
  }

  /** How phases were told apart matters to the timers that were pending then; once they are gone, one is enough. */
  private settle(): void {
    if (this.list.length === 1 || this.timers.oldestStart() <= this.doubt) return;
    const { timers, pollStart, poolStart } = this.first;
    const where = timers.where();
    this.keep(
      (reading) =>
        reading === this.first ||
        reading.pollStart !== pollStart ||
        reading.poolStart !== poolStart ||
        reading.timers.where() !== where,
    );
  }
}

/** A copy of a reading that goes on in another way. */
function another<Way>(reading: Reading, way: Way, go: (reading: Reading, way: Way) => number): Reading {
  const timeline = reading.timeline.copy();
  const { pollStart, poolStart } = reading;
  const copy = { timeline, timers: reading.timers.copy(timeline), presumes: 0, pollStart, poolStart };
  copy.presumes = Math.max(reading.presumes, go(copy, way));
  return copy;
}

/** Without those of which one before them allows whatever they allow; all of them where it takes too long to tell. */
function needed(list: readonly Reading[]): readonly Reading[] {
  const cost = list.length * list[0]!.timers.outlookCost();
  if (cost > MOST_LOOKS) return list;
  const known: { readonly reading: Reading; readonly outlook: Outlook }[] = [];
  for (const reading of list) {
    const outlook = reading.timers.outlook();
    if (!known.some((one) => isWhere(one.reading, reading) && one.outlook.allowsAll(outlook)))
      known.push({ reading, outlook });
  }
  return known.map(({ reading }) => reading);
}

/** It presumes no more, and the same can arrive in the poll phase. */
const isWhere = (one: Reading, other: Reading): boolean =>
  one.presumes <= other.presumes && one.pollStart === other.pollStart && one.poolStart === other.poolStart;

function pass(reading: Reading, again: boolean, exit: Exit, seq: number, source: Source): number {
  reading.pollStart = seq;
  reading.poolStart = behind(Number.POSITIVE_INFINITY, source, seq);
  return reading.timers.leave(again, exit);
}

/**
 * Whether something can arrive in the poll phase that is on. `wakes`: the pool has to have ended something that was asked
 * for before that phase, as the loop looks at it only where it was woken up.
 */
function isAmong({ pollStart, poolStart }: Reading, issued: number, source: Source, wakes: boolean): boolean {
  if (source === 'pool')
    return issued < (wakes && poolStart === Number.POSITIVE_INFINITY ? pollStart : poolStart);
  // One wake-up brings the pool's answers and messages: what was sent before it came is among them.
  const isAwoken = source === 'message' && poolStart !== Number.POSITIVE_INFINITY;
  return issued < pollStart || (isAwoken && issued < poolStart);
}

/** The next {@link Reading.poolStart} behind an answer of the given kind; `seq`: the position of what comes next. */
function behind(poolStart: number, source: Source, seq: number): number {
  if (source === 'pool') return Math.min(poolStart, seq);
  if (source === 'message') return -1;
  return poolStart === Number.POSITIVE_INFINITY ? poolStart : -1;
}
