/**
 * A timer callback sets a flag and resolves a promise; the waiter takes the flag back.
 * Looks racy: a third party polls the flag. Safe: set and taken back within one turn.
 */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { harness } from '../api.ts';

class Kettle {
  boiling = false;
  poured = 0;
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async pour(): Promise<void> {
    await new Promise<void>((resolve) => {
      setTimeout(() => {
        this.boiling = true;
        resolve();
      }, 2);
    });
    assert.ok(this.boiling);
    this.boiling = false;
    this.poured += 1;
  }
}

harness({
  name: 'timer-resolves',
  setup: ({ dir }) => new Kettle(dir),
  tasks: {
    cook: (kettle) => kettle.pour(),
    guest: async (kettle) => {
      for (let look = 0; look < 6; look += 1) {
        await stat(kettle.dir);
        assert.equal(kettle.boiling, false);
      }
    },
  },
  check: ({ poured }) => assert.equal(poured, 1),
  expect: { bug: false },
});
