/**
 * A set of witnesses: rows of integers under a key of three, in groups of rows that share entity and shape.
 * Rows are dense and never move; an open-addressed index finds them. Nothing is allocated per look-up. What
 * costs in a long trace is memory that is not in a cache, so a look-up that finds its row touches the index
 * only: the key is packed into one number there, and where that is not exact the row is compared as well.
 */

/** Columns of a row; a caller may have more behind them. */
export const Row = {
  /** Key: entity and thread as one number. */
  Slot: 0,
  /** Key: program points and kinds, as a number of the caller's. */
  Shape: 1,
  /** Key: position of the thread (positions.ts). */
  Position: 2,
  /** Next row of the group; -1 at its end (groups.ts). */
  Next: 3,
  /** Event indices. */
  First: 4,
  Cut: 5,
  Second: 6,
} as const;

/** Keys that are below these bounds are packed exactly. */
const POSITIONS = 1 << 18;
const SHAPES = 1 << 17;
const SLOTS = 1 << 18;

export class Witnesses {
  rows: Int32Array;
  count = 0;
  /** True if the last {@link find} made a new row. */
  isNew = false;
  /** Integers of a row. */
  readonly stride: number;
  private keys: Float64Array;
  /** Row of each key, plus one; 0: none. */
  private index: Int32Array;
  private mask: number;
  private isExact = true;

  /** `expected`: rows that there is room for before it grows. */
  constructor(stride: number, expected = 1000) {
    const bits = 1 + Math.ceil(Math.log2(expected));
    this.stride = stride;
    this.rows = new Int32Array(stride * expected);
    this.keys = new Float64Array(1 << bits);
    this.index = new Int32Array(1 << bits);
    this.mask = (1 << bits) - 1;
  }

  /** Where the row of a key begins in `rows`; a new one has nothing but its key. */
  find(slot: number, shape: number, position: number): number {
    if (position >= POSITIONS || shape >= SHAPES || slot >= SLOTS) this.isExact = false;
    // Zero is "no key".
    const key = (slot * SHAPES + shape) * POSITIONS + position + 1;
    const { keys, mask } = this;
    let at = hash(slot, shape, position) & mask;
    for (let found = keys[at]!; found !== 0; found = keys[at]!) {
      if (found === key && (this.isExact || this.isRow(this.index[at]!, slot, shape, position))) {
        this.isNew = false;
        return (this.index[at]! - 1) * this.stride;
      }
      at = (at + 1) & mask;
    }
    this.isNew = true;
    if (this.count * 8 > mask * 5) {
      this.grow();
      return this.find(slot, shape, position);
    }
    const from = this.count++ * this.stride;
    if (from + this.stride > this.rows.length) this.rows = doubled(this.rows);
    const { rows } = this;
    keys[at] = key;
    this.index[at] = this.count;
    rows[from + Row.Slot] = slot;
    rows[from + Row.Shape] = shape;
    rows[from + Row.Position] = position;
    return from;
  }

  private isRow(index: number, slot: number, shape: number, position: number): boolean {
    const { rows } = this;
    const from = (index - 1) * this.stride;
    return (
      rows[from + Row.Slot] === slot &&
      rows[from + Row.Shape] === shape &&
      rows[from + Row.Position] === position
    );
  }

  private grow(): void {
    const { keys, index, rows, stride } = this;
    this.keys = new Float64Array(2 * keys.length);
    this.index = new Int32Array(2 * index.length);
    this.mask = this.index.length - 1;
    for (let old = 0; old < keys.length; old++) {
      if (keys[old] === 0) continue;
      const from = (index[old]! - 1) * stride;
      let at = hash(rows[from]!, rows[from + 1]!, rows[from + 2]!) & this.mask;
      while (this.keys[at] !== 0) at = (at + 1) & this.mask;
      this.keys[at] = keys[old]!;
      this.index[at] = index[old]!;
    }
  }
}

function hash(a: number, b: number, c: number): number {
  let x = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77) ^ Math.imul(c, 0xc2b2ae3d);
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
  return x ^ (x >>> 13);
}

export function doubled(column: Int32Array): Int32Array {
  const wider = new Int32Array(2 * column.length);
  wider.set(column);
  return wider;
}
