/**
 * Pairs of integers as small numbers: 0, 1, 2 … in the order in which they come. Nothing is allocated per look-up,
 * and a look-up touches one place of memory: what costs in a long trace is memory that is in no cache. So a pair
 * also has a *note*, an integer of the caller's, in the same place.
 */

/** Fields of a place: the first plus 1 (0: empty), the second, the number, the note. */
const [FIRST, SECOND, NUMBER, NOTE] = [0, 1, 2, 3];
/** Places are so many integers apart, as a shift. */
const STRIDE = 2;
/** Part of the places that may be taken: a smaller table is worth a few more steps in it. */
const MOST_TAKEN = 0.75;
/** Pairs whose places are in a cache near the processor. */
const CACHED = 1 << 15;

export class PairIndex {
  /** Pairs so far. */
  count = 0;
  /** The pairs by number, first and second in turn. */
  pairs: Int32Array;
  private places: Int32Array;
  private mask: number;
  /** Pairs that this table takes. */
  private most: number;
  /** Where the pair is that was looked up last. */
  private current = 0;
  /** Of no use, but nobody may leave the fetching out. */
  private touched = 0;

  /** `expected`: pairs that there is room for before it grows. */
  constructor(expected = 1000) {
    const size = 1 << (1 + Math.ceil(Math.log2(expected)));
    this.pairs = new Int32Array(size);
    this.places = new Int32Array(size << STRIDE);
    this.mask = size - 1;
    this.most = size * MOST_TAKEN;
  }

  /** The number of a pair; it is new if it is as large as {@link count} was. */
  of(first: number, second: number): number {
    const { places, mask } = this;
    let at = (hash(first, second) & mask) << STRIDE;
    for (let found = places[at]!; found !== 0; found = places[at]!) {
      if (found === first + 1 && places[at + SECOND] === second) {
        this.current = at;
        return places[at + NUMBER]!;
      }
      at = (((at >> STRIDE) + 1) & mask) << STRIDE;
    }
    if (this.count >= this.most) {
      this.grow();
      return this.of(first, second);
    }
    const number = this.count++;
    if (2 * number >= this.pairs.length) this.pairs = doubled(this.pairs);
    this.pairs[2 * number] = first;
    this.pairs[2 * number + 1] = second;
    this.put(at, first, second, number, 0);
    return number;
  }

  /** Whether a look-up waits for memory, most of the time. */
  get isLarge(): boolean {
    return this.count > CACHED;
  }

  /** Fetches the place of a pair that will be looked up soon. A processor waits for several of these at once. */
  touch(first: number, second: number): void {
    this.touched ^= this.places[(hash(first, second) & this.mask) << STRIDE]!;
  }

  first(number: number): number {
    return this.pairs[2 * number]!;
  }

  second(number: number): number {
    return this.pairs[2 * number + 1]!;
  }

  /** The note of the pair that was looked up last; 0 at first. */
  get note(): number {
    return this.places[this.current + NOTE]!;
  }

  set note(note: number) {
    this.places[this.current + NOTE] = note;
  }

  private put(at: number, first: number, second: number, number: number, note: number): void {
    const { places } = this;
    this.current = at;
    places[at + FIRST] = first + 1;
    places[at + SECOND] = second;
    places[at + NUMBER] = number;
    places[at + NOTE] = note;
  }

  private grow(): void {
    const old = this.places;
    this.places = new Int32Array(2 * old.length);
    this.mask = 2 * this.mask + 1;
    this.most *= 2;
    for (let from = 0; from < old.length; from += 1 << STRIDE) {
      if (old[from] === 0) continue;
      const [first, second] = [old[from]! - 1, old[from + SECOND]!];
      let at = (hash(first, second) & this.mask) << STRIDE;
      while (this.places[at] !== 0) at = (((at >> STRIDE) + 1) & this.mask) << STRIDE;
      this.put(at, first, second, old[from + NUMBER]!, old[from + NOTE]!);
    }
  }
}

function hash(a: number, b: number): number {
  const x = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77);
  const y = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
  return y ^ (y >>> 13);
}

export function doubled(column: Int32Array): Int32Array {
  const wider = new Int32Array(2 * column.length);
  wider.set(column);
  return wider;
}
