/**
 * A state that can be taken back: one column of numbers, and a trail of what they were. Going on from a common
 * beginning in many ways then costs what differs, however large the state is.
 */
export class Trail {
  private cells = new Int32Array(0);
  private size = 0;
  /** Pairs: which cell, and what it held. */
  private log = new Int32Array(1024);
  private top = 0;

  /** Sets cells aside, all holding `value`; before anything is written. */
  allocate(count: number, value = 0): number {
    const at = this.size;
    this.size += count;
    if (this.size > this.cells.length) {
      const wider = new Int32Array(Math.max(this.size, 2 * this.cells.length));
      wider.set(this.cells);
      this.cells = wider;
    }
    this.cells.fill(value, at, this.size);
    return at;
  }

  get(at: number): number {
    return this.cells[at] as number;
  }

  set(at: number, value: number): void {
    if (this.top + 2 > this.log.length) {
      const wider = new Int32Array(2 * this.log.length);
      wider.set(this.log);
      this.log = wider;
    }
    this.log[this.top++] = at;
    this.log[this.top++] = this.cells[at] as number;
    this.cells[at] = value;
  }

  /** The present moment, for {@link undo}. */
  mark(): number {
    return this.top;
  }

  /** Takes back what was written since `mark`. */
  undo(mark: number): void {
    while (this.top > mark) {
      const value = this.log[--this.top] as number;
      this.cells[this.log[--this.top] as number] = value;
    }
  }
}
