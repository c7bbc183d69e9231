/**
 * A thermostat moved in slow steps: timers only, no I/O.
 * Bad: the target is read before the motor moves and written after. A pause of the process lets the second
 * turn of the knob fall in between. RWW. Ok: the turns queue up.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Thermostat {
  target = 18;

  async turn(by: number): Promise<void> {
    const before = this.target;
    await sleep(20);
    this.target = before + by;
  }
}

class QueuedThermostat extends Thermostat {
  #queue: Promise<void> = Promise.resolve();

  override async turn(by: number): Promise<void> {
    this.#queue = this.#queue.then(() => super.turn(by));
    await this.#queue;
  }
}

twins<Thermostat>({
  name: 'thermostat',
  bad: () => new Thermostat(),
  ok: () => new QueuedThermostat(),
  tasks: {
    warmer: async (thermostat) => {
      await sleep(10);
      await thermostat.turn(3);
    },
    colder: async (thermostat) => {
      await sleep(100);
      await thermostat.turn(-1);
    },
  },
  check: ({ target }) => assert.equal(target, 20),
  expect: { pattern: 'RWW', entity: 'Thermostat#target' },
});
