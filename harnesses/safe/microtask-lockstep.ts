/**
 * A value that is set across an await of a promise that is already settled.
 * Looks racy: another task writes the same field. Safe: the await is over within the turn.
 */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { harness } from '../api.ts';

class Cell {
  value = 0;
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }
}

harness({
  name: 'microtask-lockstep',
  setup: ({ dir }) => new Cell(dir),
  tasks: {
    quick: async (cell) => {
      cell.value = 1;
      await Promise.resolve();
      assert.equal(cell.value, 1);
      cell.value = 0;
    },
    slow: async (cell) => {
      await stat(cell.dir);
      cell.value = 7;
      await stat(cell.dir);
      cell.value = 0;
    },
  },
  check: ({ value }) => assert.equal(value, 0),
  expect: { bug: false },
});
