/**
 * Two timers that fire one after the other may have been due in one timers phase or in two, a phase in which nothing
 * fired may have overlooked something, two answers may have come in one poll phase or in two: nobody sees which, and
 * what comes later decides. So a run has several hypotheses, each with times of its own. A step is possible if one of
 * them allows it, and ends those that do not.
 */

import type { Exit, Sleep } from './alternatives.ts';
import { Blocked } from './blocked.ts';
import type { DominanceProfile } from './dominance-profile.ts';
import type { Overslept } from './lateness.ts';
import type { Awaited } from './pool.ts';
import { Timeline } from './timeline.ts';
import { PendingTimers, type Timer, TimerLists } from './timer-lists.ts';
import { type FiringTimer, type StartedTimer, Timers } from './timers.ts';

interface ClockHypothesis {
  readonly timeline: Timeline;
  readonly timers: Timers;
  /** How much later than in the first hypothesis something must have happened, ms. */
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
const isOwing = ({ pollStart }: ClockHypothesis, owed: number): boolean => owed < pollStart;

/** So many are kept, those first that presume least; what is given up only makes an order look infeasible. */
const MOST_READINGS = 24;
/** The same of those that one step makes, before the needless are told. */
const MOST_AT_ONCE = 96;
/** A run of so many moments is long: each hypothesis takes time at every step, so that only these many are kept. */
const LONG = 500;
const MOST_IN_LONG = 10;
/** So many moments are looked at in one step to tell which hypotheses are needless. */
const MOST_LOOKS = 100_000;

export class ClockHypotheses {
  readonly blocked = new Blocked();
  private readonly pending = new PendingTimers();
  private readonly wakes: boolean;
  /** The first is the one that is told. */
  private list: ClockHypothesis[];
  /** Hypotheses were given up, and with them orders that only they allow. */
  incomplete = false;
  /** The moment of the latest doubt about phases. */
  private doubt = -1;
  /** Grows with every hypothesis that begins or ends. */
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

  private get first(): ClockHypothesis {
    return this.list[0] as ClockHypothesis;
  }

  /** The times that are told. */
  get timeline(): Timeline {
    return this.first.timeline;
  }

  /** What is pending, and how it was started: the same in all hypotheses. */
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

  cancel(id: number, restarts: boolean, ticking: boolean): void {
    this.goOn(
      ({ timers }) => timers.takings(id, ticking),
      ({ timers }, taking) => {
        timers.cancel(id, restarts, ticking, taking);
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

  /** What may fire next, as the first hypothesis tells it that allows it. `owed`: see {@link isOwing}. */
  candidates(sleep: Sleep, owed: number): FiringTimer[] {
    const found: FiringTimer[] = [];
    for (const hypothesis of this.list) {
      if (isOwing(hypothesis, owed)) continue;
      const { timers, presumes } = hypothesis;
      for (const { id, at, pause } of timers.candidates(sleep, found))
        if (!found.some((known) => known.id === id)) found.push({ id, at, pause: Math.max(pause, presumes) });
    }
    return found;
  }

  /** The timers that are overdue since the loop, asleep from a moment on, has woken up. */
  overslept(from: number): Overslept[] {
    const { timeline, timers } = this.list[0]!;
    const woken = timeline.last;
    const at = timeline.timeOf(woken);
    if (at <= timeline.timeOf(from)) return [];
    return timers.overdueAt(at).map(({ start, delay }) => {
      const blocked = this.blocked.postponed(timeline, start, delay);
      return { from, woken, start, delay, blocked };
    });
  }

  /** Fires a timer in every hypothesis that allows it, in every phase in which it may. */
  fire(id: number, within: number, sleep: Sleep, owed: number): void {
    this.goOn(
      (hypothesis) => (isOwing(hypothesis, owed) ? [] : hypothesis.timers.ways(id, sleep)),
      ({ timers }, way) => timers.fire(id, way, within, sleep),
      this.pending.get(id),
    );
    this.settle();
  }

  /** By how much something has to move for the loop to leave its timers phase; null where it cannot. */
  passing(again: boolean, asleep: boolean, owed: number): number | null {
    for (const hypothesis of this.list) {
      if (isOwing(hypothesis, owed)) continue;
      const { timeline, timers, presumes } = hypothesis;
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
      (hypothesis) => (isOwing(hypothesis, owed) ? [] : hypothesis.timers.exits(again, asleep)),
      (hypothesis, way) => pass(hypothesis, again, way, seq, source),
    );
  }

  /** By how much something has to move for this to arrive in the poll phase that is on; null where it cannot. */
  arriving(issued: number, source: Source): number | null {
    const hypothesis = this.list.find((hypothesis) => isAmong(hypothesis, issued, source, this.wakes));
    if (!hypothesis) return null;
    return hypothesis === this.first ? 0 : hypothesis.presumes;
  }

  /**
   * It arrives in the poll phase that is on or, where it `may`, in that of another round; `latest` is the position of
   * what was issued last of all else that waits.
   */
  arrive(issued: number, source: Source, may: boolean, latest: number, seq: number, owed: number): void {
    this.goOn<'stay' | Exit>(
      (hypothesis) => {
        const { timers, pollStart, poolStart } = hypothesis;
        const stay = isAmong(hypothesis, issued, source, this.wakes) ? (['stay'] as const) : [];
        // Another round could bring nothing more now; if it has to be, it can begin later as well.
        const isAll =
          latest < pollStart &&
          latest < poolStart &&
          (source === 'pool' || poolStart === Number.POSITIVE_INFINITY);
        if (!may || isOwing(hypothesis, owed) || (stay.length > 0 && isAll)) return stay;
        // Another round allows more, unless it owes something; else only timers could tell the difference.
        const rounds = timers.exits(true, true);
        if (timers.isFree(true, true)) return owed === NOTHING ? rounds : [...rounds, ...stay];
        const [first, ...others] = rounds;
        const asksNothing = first && first.way !== 'overlooked' && timers.passing(true, true) === 0;
        return asksNothing ? [first, ...stay, ...others] : [...stay, ...rounds];
      },
      (hypothesis, way) => {
        if (way !== 'stay') return pass(hypothesis, true, way, seq, source);
        hypothesis.poolStart = behind(hypothesis.poolStart, source, seq);
        return 0;
      },
    );
    this.settle();
  }

  /** Whether the poll phase that is on may be over. */
  mayEnd(owed: number): boolean {
    return this.list.some((hypothesis) => !isOwing(hypothesis, owed));
  }

  /** Nothing more arrives in the poll phase that is on. */
  polled(owed: number): void {
    this.keep((hypothesis) => !isOwing(hypothesis, owed));
    for (const hypothesis of this.list) {
      hypothesis.pollStart = -1;
      hypothesis.poolStart = -1;
    }
  }

  /** Every hypothesis goes on in all ways that it offers, and ends where it offers none. `gone`: what is no longer pending then. */
  private goOn<Way>(
    waysOf: (hypothesis: ClockHypothesis) => readonly Way[],
    go: (hypothesis: ClockHypothesis, way: Way) => number,
    gone?: Timer,
  ): void {
    const natural: ClockHypothesis[] = [];
    const others: ClockHypothesis[] = [];
    for (const hypothesis of this.list) {
      const ways = waysOf(hypothesis);
      if (ways.length === 0) continue;
      const room = (this.isLong ? MOST_IN_LONG : MOST_AT_ONCE) - others.length;
      if (ways.length - 1 > room) this.incomplete = true;
      for (let at = 1; at < ways.length && at <= room; at++)
        others.push(another(hypothesis, ways[at] as Way, go));
      go(hypothesis, ways[0] as Way);
      natural.push(hypothesis);
    }
    if (natural.length === 0) throw new Error('no hypothesis of the run allows this step');
    if (gone) this.pending.remove(gone);
    if (others.length > 0) this.doubt = this.timeline.last;
    if (others.length > 0 || this.list.length > 1) this.replace([...natural, ...others]);
  }

  private keep(holds: (hypothesis: ClockHypothesis) => boolean): void {
    if (this.list.length > 1) this.replace(this.list.filter(holds));
  }

  private get isLong(): boolean {
    return this.timeline.last >= LONG;
  }

  private replace(list: readonly ClockHypothesis[]): void {
    const most = this.isLong ? MOST_IN_LONG : MOST_READINGS;
    const different = list.length > most ? needed(list) : list;
    const kept = different.slice(0, most);
    if (kept.length < different.length) this.incomplete = true;
    for (const hypothesis of this.list) if (!kept.includes(hypothesis)) hypothesis.timeline.release();
    for (const hypothesis of list)
      if (!kept.includes(hypothesis) && !this.list.includes(hypothesis)) hypothesis.timeline.release();
    if (kept.length !== this.list.length || kept.some((one, nth) => one !== this.list[nth]))
      this.generation += 1;
    this.list = kept;
  }

  /** How phases were told apart matters to the timers that were pending then; once they are gone, one is enough. */
  private settle(): void {
    if (this.list.length === 1 || this.timers.oldestStart() <= this.doubt) return;
    const { timers, pollStart, poolStart } = this.first;
    const where = timers.where();
    this.keep(
      (hypothesis) =>
        hypothesis === this.first ||
        hypothesis.pollStart !== pollStart ||
        hypothesis.poolStart !== poolStart ||
        hypothesis.timers.where() !== where,
    );
  }
}

/** A copy of a hypothesis that goes on in another way. */
function another<Way>(
  hypothesis: ClockHypothesis,
  way: Way,
  go: (hypothesis: ClockHypothesis, way: Way) => number,
): ClockHypothesis {
  const timeline = hypothesis.timeline.copy();
  const { pollStart, poolStart } = hypothesis;
  const copy = { timeline, timers: hypothesis.timers.copy(timeline), presumes: 0, pollStart, poolStart };
  copy.presumes = Math.max(hypothesis.presumes, go(copy, way));
  return copy;
}

/** Without those of which one before them allows whatever they allow; all of them where it takes too long to tell. */
function needed(list: readonly ClockHypothesis[]): readonly ClockHypothesis[] {
  const cost = list.length * list[0]!.timers.outlookCost();
  if (cost > MOST_LOOKS) return list;
  const known: { readonly hypothesis: ClockHypothesis; readonly profile: DominanceProfile }[] = [];
  for (const hypothesis of list) {
    const profile = hypothesis.timers.profile();
    if (!known.some((one) => isWhere(one.hypothesis, hypothesis) && one.profile.allowsAll(profile)))
      known.push({ hypothesis, profile });
  }
  return known.map(({ hypothesis }) => hypothesis);
}

/** It presumes no more, and the same can arrive in the poll phase. */
const isWhere = (one: ClockHypothesis, other: ClockHypothesis): boolean =>
  one.presumes <= other.presumes && one.pollStart === other.pollStart && one.poolStart === other.poolStart;

function pass(hypothesis: ClockHypothesis, again: boolean, exit: Exit, seq: number, source: Source): number {
  hypothesis.pollStart = seq;
  hypothesis.poolStart = behind(Number.POSITIVE_INFINITY, source, seq);
  return hypothesis.timers.leave(again, exit);
}

/**
 * Whether something can arrive in the poll phase that is on. `wakes`: the pool has to have ended something that was asked
 * for before that phase, as the loop looks at it only where it was woken up.
 */
function isAmong(
  { pollStart, poolStart }: ClockHypothesis,
  issued: number,
  source: Source,
  wakes: boolean,
): boolean {
  if (source === 'pool')
    return issued < (wakes && poolStart === Number.POSITIVE_INFINITY ? pollStart : poolStart);
  // One wake-up brings the pool's answers and messages: what was sent before it came is among them.
  const isAwoken = source === 'message' && poolStart !== Number.POSITIVE_INFINITY;
  return issued < pollStart || (isAwoken && issued < poolStart);
}

/** The next {@link ClockHypothesis.poolStart} behind an answer of the given kind; `seq`: the position of what comes next. */
function behind(poolStart: number, source: Source, seq: number): number {
  if (source === 'pool') return Math.min(poolStart, seq);
  if (source === 'message') return -1;
  return poolStart === Number.POSITIVE_INFINITY ? poolStart : -1;
}
