/**
 * Witnesses in rows. A row is what is looked for (an access from a program point, or a pair of them); its
 * witnesses are the positions at which that was seen, with the events. Only those are kept that can meet
 * somebody whom the others cannot.
 */
import type { EpochCoverage } from './coverage.ts';
import { doubled, PairIndex } from './pair-index.ts';
import type { Positions } from './positions.ts';

/** Fields of a row: the newest witness plus one; epochs of witnesses; epochs of those without locks. */
const [HEAD, ALL, FREE, FIELDS] = [0, 1, 2, 3];
/** Fields of a witness: the one before it in its row, plus one; its position; the last epoch of its run; its events. */
const [NEXT, POSITION, UNTIL, EVENTS] = [0, 1, 2, 3];
/** Witnesses of a row that a new one is compared with; more would cost more than they save. */
const COMPARED = 16;

export class Witnesses {
  /** What each row is of; noted there: the epochs that are covered. */
  readonly keys: PairIndex;
  private readonly positions: Positions;
  private readonly coverage: EpochCoverage;
  private readonly stride: number;
  private rows: Int32Array;
  private list: Int32Array;
  private count = 0;
  /** Rows and positions that were offered where coverage does not tell. */
  private readonly known = new PairIndex();

  /** `events`: how many belong to a witness. `expected`: rows that there is room for before it grows. */
  constructor(positions: Positions, coverage: EpochCoverage, events: number, expected = 1000) {
    this.positions = positions;
    this.coverage = coverage;
    this.stride = EVENTS + events;
    this.keys = new PairIndex(expected);
    this.rows = new Int32Array(FIELDS * expected);
    this.list = new Int32Array(this.stride * expected);
  }

  /** The row of a key; {@link isCovered} and {@link offer} are about the row that was asked for last. */
  row(first: number, second: number): number {
    const row = this.keys.of(first, second);
    if (FIELDS * row >= this.rows.length) this.rows = doubled(this.rows);
    return row;
  }

  /** Whether a witness in this epoch adds nothing. */
  isCovered(epoch: number): boolean {
    return (this.keys.note & this.coverage.bit(epoch)) !== 0;
  }

  /** The epochs (coverage.ts) that a row has witnesses in. */
  epochs(row: number): number {
    return this.rows[FIELDS * row + ALL]!;
  }

  /** The epochs that it has witnesses without locks in. */
  free(row: number): number {
    return this.rows[FIELDS * row + FREE]!;
  }

  /**
   * Takes a witness, if it adds something to its row; `lockClass` as of LockClasses. `until`: the last epoch of its
   * run (positions.ts).
   */
  offer(
    row: number,
    epoch: number,
    lockClass: number,
    first: number,
    cut: number,
    second: number,
    until = epoch,
  ): void {
    const bits = this.coverage.bits(epoch, until);
    const free = lockClass === 0 ? bits : 0;
    const position = this.positions.of(epoch, lockClass);
    if (until !== epoch) {
      if (this.isRedundant(row, position, until)) return;
    } else if (free === 0) {
      const { count } = this.known;
      if (this.known.of(row, position) < count || this.isRedundant(row, position, until)) return;
    }
    const { rows } = this;
    const at = FIELDS * row;
    rows[at + ALL]! |= bits;
    rows[at + FREE]! |= free;
    if (free !== 0) this.keys.note = this.coverage.covered(rows[at + FREE]!);
    const from = this.count++ * this.stride;
    if (from + this.stride > this.list.length) this.list = doubled(this.list);
    const { list } = this;
    list[from + NEXT] = rows[at + HEAD]!;
    list[from + POSITION] = position;
    list[from + UNTIL] = until;
    list[from + EVENTS] = first;
    if (this.stride > EVENTS + 1) {
      list[from + EVENTS + 1] = cut;
      list[from + EVENTS + 2] = second;
    }
    rows[at + HEAD] = from + 1;
  }

  /** The newest witness of a row; -1 if there is none. */
  head(row: number): number {
    return this.rows[FIELDS * row + HEAD]! - 1;
  }

  /** The next witness of the same row; -1 at the end. */
  next(witness: number): number {
    return this.list[witness + NEXT]! - 1;
  }

  position(witness: number): number {
    return this.list[witness + POSITION]!;
  }

  /** The last epoch of the run of a witness. */
  until(witness: number): number {
    return this.list[witness + UNTIL]!;
  }

  /** One of the events of a witness. */
  event(witness: number, which = 0): number {
    return this.list[witness + EVENTS + which]!;
  }

  private isRedundant(row: number, position: number, until: number): boolean {
    let left = COMPARED;
    for (let at = this.head(row); at >= 0 && left > 0; at = this.next(at), left--)
      if (this.positions.isWeaker(this.position(at), this.until(at), position, until)) return true;
    return false;
  }
}
