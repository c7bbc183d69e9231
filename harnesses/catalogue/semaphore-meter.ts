/**
 * A meter guarded by a semaphore.
 * Bad: two permits, which limits the load and excludes nobody. RWW. Ok: one permit.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Semaphore } from 'async-mutex';
import { twins } from '../lib/twins.ts';

class Meter {
  reading = 0;
  readonly dir: string;
  readonly permits: Semaphore;

  constructor(dir: string, permits: number) {
    this.dir = dir;
    this.permits = new Semaphore(permits);
  }

  async add(pulse: string): Promise<void> {
    await this.permits.runExclusive(async () => {
      const before = this.reading;
      const pulses = Number(await readFile(join(this.dir, pulse), 'utf8'));
      this.reading = before + pulses;
    });
  }
}

const withPulses = async (meter: Meter): Promise<Meter> => {
  await writeFile(join(meter.dir, 'day.txt'), '30');
  await writeFile(join(meter.dir, 'night.txt'), '12');
  return meter;
};

twins<Meter>({
  name: 'semaphore-meter',
  bad: ({ dir }) => withPulses(new Meter(dir, 2)),
  ok: ({ dir }) => withPulses(new Meter(dir, 1)),
  tasks: {
    day: (meter) => meter.add('day.txt'),
    night: async (meter) => {
      await sleep(80);
      await meter.add('night.txt');
    },
  },
  check: ({ reading }) => assert.equal(reading, 42),
  expect: { pattern: 'RWW', entity: 'Meter#reading' },
});
