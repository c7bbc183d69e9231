/**
 * The largest value seen, from several sources.
 * Looks racy: read before an await, written after it. Safe: what is written is compared with what is there now.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { harness } from '../api.ts';

class Gauge {
  highest = 0;
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async measure(sensor: string): Promise<void> {
    const before = this.highest;
    const value = Number(await readFile(join(this.dir, sensor), 'utf8'));
    if (value <= before) return;
    this.highest = Math.max(this.highest, value);
  }
}

harness({
  name: 'high-water-mark',
  setup: async ({ dir }) => {
    await writeFile(join(dir, 'east'), '7');
    await writeFile(join(dir, 'west'), '9');
    await writeFile(join(dir, 'roof'), '4');
    return new Gauge(dir);
  },
  tasks: {
    east: (gauge) => gauge.measure('east'),
    west: (gauge) => gauge.measure('west'),
    roof: (gauge) => gauge.measure('roof'),
  },
  check: ({ highest }) => assert.equal(highest, 9),
  expect: { bug: false },
});
