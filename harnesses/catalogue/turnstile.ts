/**
 * People counted in a private field.
 * Bad: the count is read before the gate opens and written after it has. RWW on `#count`.
 * Ok: read and written in one statement.
 */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

interface Gate {
  readonly count: number;
  pass(): Promise<void>;
}

class Turnstile implements Gate {
  #count = 0;
  readonly #motor: string;

  constructor(motor: string) {
    this.#motor = motor;
  }

  get count(): number {
    return this.#count;
  }

  async pass(): Promise<void> {
    const before = this.#count;
    await stat(this.#motor);
    this.#count = before + 1;
  }
}

class SteadyTurnstile implements Gate {
  #count = 0;
  readonly #motor: string;

  constructor(motor: string) {
    this.#motor = motor;
  }

  get count(): number {
    return this.#count;
  }

  async pass(): Promise<void> {
    await stat(this.#motor);
    this.#count += 1;
  }
}

twins<Gate>({
  name: 'turnstile',
  bad: ({ dir }) => new Turnstile(dir),
  ok: ({ dir }) => new SteadyTurnstile(dir),
  tasks: {
    ann: (gate) => gate.pass(),
    bob: async (gate) => {
      await sleep(80);
      await gate.pass();
    },
  },
  check: (gate) => assert.equal(gate.count, 2),
  expect: { pattern: 'RWW', entityMatch: '^Turnstile#+count$' },
});
