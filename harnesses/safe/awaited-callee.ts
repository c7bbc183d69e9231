/**
 * A callee opens a door, its caller closes it after awaiting the callee.
 * Looks racy: others may find the door open. Safe: the callee's last statement and the caller's next one
 * are in one turn.
 */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { harness } from '../api.ts';

class House {
  doorOpen = false;
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async openDoor(): Promise<void> {
    await stat(this.dir);
    this.doorOpen = true;
  }

  async walkIn(): Promise<void> {
    await this.openDoor();
    assert.ok(this.doorOpen);
    this.doorOpen = false;
  }
}

harness({
  name: 'awaited-callee',
  setup: ({ dir }) => new House(dir),
  tasks: {
    owner: (house) => house.walkIn(),
    neighbour: async (house) => {
      for (let look = 0; look < 5; look += 1) {
        await stat(house.dir);
        assert.equal(house.doorOpen, false);
      }
    },
  },
  check: ({ doorOpen }) => assert.equal(doorOpen, false),
  expect: { bug: false },
});
