/**
 * Synthesis of orders that show candidates: keep the observed order, hold back the step that leads to `second`
 * until `remote` has happened, and where `remote` came first, hold back what leads to it until `first` has
 * happened. `remote` is forced last ("any schedule that reaches both points violates" is false: see
 * docs/feasibility.md). An order whose replay does not show first < remote < second is not emitted.
 *
 * Every candidate has a list of attempts, each a pair of holds. All candidates make their next attempt in one
 * pass over the observed order; attempts with the same holds share one replay, out of which each takes its own
 * way when its `remote` has happened.
 */

import { EFFECT } from '../data/feasibility/sketch/steps.ts';
import { type Candidate, NOTHING } from './candidates.ts';
import { type Hold, type Holds, holdOf } from './holds.ts';
import type { Branch, Trunk } from './replay/trunk.ts';
import type { Sections } from './sections.ts';

const NONE: Hold = -2;

/** What is left to try for one candidate. */
interface CandidateSearch {
  readonly candidate: Candidate;
  readonly attempts: Iterator<Trial>;
}

interface Trial {
  readonly candidate: Candidate;
  /** Kept back until `first` has happened; {@link NONE} for nothing. */
  readonly remote: Hold;
  /** Kept back until `remote` has happened. */
  readonly second: Hold;
  /** Where the order leaves the observed one. */
  readonly from: number;
}

export class Synthesis {
  readonly found = new Map<Candidate, Branch>();
  private readonly trunk: Trunk;
  private readonly holds: Holds;
  private readonly around: Sections;
  private readonly holdOf: Int32Array;

  constructor(trunk: Trunk, holds: Holds, around: Sections) {
    this.trunk = trunk;
    this.holds = holds;
    this.around = around;
    this.holdOf = Int32Array.from({ length: trunk.steps.count }, (_, step) => holdOf(trunk.steps, step));
  }

  /** Looks for an order for each candidate; what it finds is in {@link found}. Returns those for which `isSpent` left no time. */
  search(candidates: readonly Candidate[], isSpent = (): boolean => false): Candidate[] {
    let open = candidates.map(
      (candidate): CandidateSearch => ({ candidate, attempts: this.attempts(candidate) }),
    );
    while (open.length > 0) {
      const next: Trial[] = [];
      open = open.filter(({ attempts }) => {
        const { value, done } = attempts.next();
        if (!done) next.push(value);
        return !done;
      });
      for (let group of groups(next, this.trunk))
        while (group.length > 0 && !isSpent()) group = this.run(group);
      open = open.filter(({ candidate }) => !this.found.has(candidate));
      if (isSpent()) return open.map(({ candidate }) => candidate);
    }
    return [];
  }

  /** Pairs of holds that could work, in the order in which they are tried. */
  private *attempts(candidate: Candidate): Generator<Trial, undefined> {
    const { first, remote, second } = candidate;
    const { eventAt, moments } = this.trunk;
    const seconds = this.holds
      .chain(second, first)
      .filter((hold) => !this.holds.blocks(hold, remote) && !this.serialised(candidate, hold));
    if (seconds.length === 0) return;
    const remotes: Hold[] = [NONE];
    if (remote < first)
      remotes.push(...this.holds.chain(remote, first).filter((hold) => !this.holds.blocks(hold, first)));
    for (const ofRemote of remotes)
      for (const ofSecond of seconds) {
        const from = Math.min(this.placeOf(ofRemote), this.placeOf(ofSecond));
        // Nothing is different before that place: there `remote` comes too early.
        const early = eventAt[remote]! <= from && !(moments[first]! < moments[remote]!);
        if (!early && from <= this.trunk.length)
          yield { candidate, remote: ofRemote, second: ofSecond, from };
      }
    return;
  }

  /** While the step is held the lock of `first` is not given back, and `remote` needs that lock. */
  private serialised({ first, remote }: Candidate, hold: Hold): boolean {
    const outer = first === NOTHING ? [] : this.around(first);
    if (outer.length === 0) return false;
    const others = this.around(remote);
    return outer.some(
      (section) =>
        others.some((o) => o.lock === section.lock && o !== section) &&
        this.holds.blocks(hold, section.released),
    );
  }

  /** Where a held step stands in the observed order. */
  private placeOf(hold: Hold): number {
    if (hold === NONE) return this.trunk.length + 1;
    const { steps, placeOf } = this.trunk;
    const at = steps.first[hold >> 1] as number;
    if ((hold & 1) === 1) return steps.kind[at] === EFFECT ? (placeOf[at] as number) : this.trunk.length + 1;
    const end = steps.first[(hold >> 1) + 1] ?? steps.count;
    return placeOf[end - 1] as number;
  }

  /**
   * One replay for attempts with the same holds, `remote` by `remote` as the observed order has them. Returns
   * those whose `remote` happened before one that usually precedes it: they need another one.
   */
  private run(group: readonly Trial[]): Trial[] {
    const [{ from, remote: ofRemote, second: ofSecond, candidate }] = group as [Trial];
    const replay = this.trunk.seek(from);
    const { holdOf } = this;
    const isHeld = (step: number): boolean => {
      const hold = holdOf[step];
      return hold === ofSecond || (hold === ofRemote && replay.moment(candidate.first) === 0);
    };
    let moves = 0;
    let before = replay.executed;
    for (let at = 0; at < group.length; ) {
      const { remote } = (group[at] as Trial).candidate;
      while (replay.moment(remote) === 0) {
        const next = replay.first(isHeld);
        // Nothing but what is held: this one waits for it, and so does all that has not happened.
        if (next < 0) return group.slice(at).filter((a) => replay.moment(a.candidate.remote) > 0);
        if (replay.passedOver) moves += 1;
        before = replay.executed;
        replay.take(next);
      }
      if (replay.moment(remote) <= before && at > 0) return group.slice(at);
      let end = at + 1;
      while (end < group.length && replay.moment((group[end] as Trial).candidate.remote) > before) end += 1;
      this.finish(group.slice(at, end), from, moves);
      at = end;
    }
    return [];
  }

  /** Nothing is held any more: goes on until each `second` has happened, then takes that back. */
  private finish(group: readonly Trial[], from: number, moves: number): void {
    const { replay } = this.trunk;
    const mark = replay.mark();
    const open = group.filter(({ candidate: { first, remote, second } }) => {
      const between = replay.moment(remote);
      const isBefore = (event: number): boolean => replay.moment(event) > 0 && replay.moment(event) < between;
      return (first === NOTHING || isBefore(first)) && !isBefore(second);
    });
    for (const { candidate } of open) {
      while (replay.moment(candidate.second) === 0) {
        const next = replay.first();
        if (next < 0) break;
        replay.take(next);
      }
      const length = replay.lengthAt(candidate.second);
      if (length >= 0) this.found.set(candidate, this.trunk.branch(from, moves, length));
    }
    replay.undo(mark);
  }
}

/** Attempts with the same holds, by the place where they leave the observed order. */
function groups(attempts: readonly Trial[], { eventAt }: Trunk): Trial[][] {
  const byHolds = new Map<string, Trial[]>();
  for (const attempt of attempts) {
    const { remote, second, candidate } = attempt;
    const key = `${second}|${remote}|${remote === NONE ? '' : candidate.first}`;
    const group = byHolds.get(key);
    if (group) group.push(attempt);
    else byHolds.set(key, [attempt]);
  }
  const at = ({ candidate }: Trial): number => eventAt[candidate.remote] as number;
  for (const group of byHolds.values()) group.sort((a, b) => at(a) - at(b));
  return [...byHolds.values()].sort((a, b) => a[0]!.from - b[0]!.from);
}
