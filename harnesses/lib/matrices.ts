/** Colt's `dgemm` by several threads: C = A × B, each thread some rows, against what one thread computes. */
import assert from 'node:assert/strict';
import { type AttachedFields, float64, record } from '../../monitor/threads/api.ts';
import { shared } from './shared.ts';

/** @param size of the square matrices. */
export function dgemm(name: string, size: number, threads: number): void {
  const fields = { a: float64(size * size), b: float64(size * size), c: float64(size * size) };
  type Matrices = AttachedFields<typeof fields>;

  const multiply = ({ a, b, c }: Matrices, first: number) => {
    for (let row = first; row < size; row += threads)
      for (let column = 0; column < size; column++) {
        let sum = 0;
        for (let at = 0; at < size; at++) sum += a[row * size + at]! * b[at * size + column]!;
        c[row * size + column] = sum;
      }
  };

  shared<Matrices>({
    name,
    memory: record(fields),
    initial: ({ a, b }) => {
      for (let at = 0; at < size * size; at++) {
        a[at] = (at % 7) - 3;
        b[at] = (at % 11) - 5;
      }
    },
    threads: Object.fromEntries(
      Array.from({ length: threads }, (_, first) => [
        `rows${first}`,
        (matrices: Matrices) => multiply(matrices, first),
      ]),
    ),
    check: ({ a, b, c }) => {
      const at = (row: number, column: number) => {
        let sum = 0;
        for (let k = 0; k < size; k++) sum += a[row * size + k]! * b[k * size + column]!;
        return sum;
      };
      for (let row = 0; row < size; row++)
        for (let column = 0; column < size; column++)
          assert.equal(c[row * size + column], at(row, column), `row ${row}, column ${column}`);
    },
    expect: { bug: false },
  });
}
