/**
 * Penelope, section 2: two threads update the halves of a 10 × 10 matrix, each cell to the sum of itself and its
 * neighbours, with a lock for each cell. No bug: what a preemption bound of two cannot finish in days, prediction can.
 */
import assert from 'node:assert/strict';
import {
  type AttachedFields,
  allocate,
  attach,
  int32,
  list,
  Mutex,
  record,
} from '../../monitor/threads/api.ts';
import { shared } from '../lib/shared.ts';

const SIZE = 10;
/** Sums stay below it. */
const MODULUS = 1009;
const fields = { cell: int32(SIZE * SIZE), lock: list(Mutex.part, SIZE * SIZE) };

class Matrix {
  readonly memory: AttachedFields<typeof fields>;

  constructor(memory: AttachedFields<typeof fields>) {
    this.memory = memory;
  }

  fill(value: number): void {
    for (let at = 0; at < SIZE * SIZE; at++) this.memory.cell[at] = value;
  }

  /** Updates the rows from `first` to before `end`. */
  update(first: number, end: number): void {
    for (let row = first; row < end; row++)
      for (let column = 0; column < SIZE; column++) this.set(row, column, this.sumAround(row, column));
  }

  private sumAround(row: number, column: number): number {
    let sum = 0;
    for (let r = Math.max(row - 1, 0); r <= Math.min(row + 1, SIZE - 1); r++)
      for (let c = Math.max(column - 1, 0); c <= Math.min(column + 1, SIZE - 1); c++) sum += this.get(r, c);
    return sum % MODULUS;
  }

  private get(row: number, column: number): number {
    const at = row * SIZE + column;
    return this.memory.lock[at]!.runExclusive(() => this.memory.cell[at]!);
  }

  private set(row: number, column: number, value: number): void {
    const at = row * SIZE + column;
    this.memory.lock[at]!.runExclusive(() => {
      this.memory.cell[at] = value;
    });
  }
}

const memory = record(fields, (attached) => new Matrix(attached));

shared<Matrix>({
  name: 'matrix',
  memory,
  initial: (matrix) => matrix.fill(1),
  threads: {
    upper: (matrix) => matrix.update(0, SIZE / 2),
    lower: (matrix) => matrix.update(SIZE / 2, SIZE),
  },
  // What the upper thread makes of all but its last row depends on nobody else.
  check: ({ memory: { cell } }) => {
    const alone = attach(memory, allocate(memory));
    alone.fill(1);
    alone.update(0, SIZE / 2);
    const own = SIZE * (SIZE / 2 - 1);
    assert.deepEqual(cell.subarray(0, own), alone.memory.cell.subarray(0, own));
  },
  expect: { bug: false },
});
