/**
 * A cache of expensive reports.
 * Bad: a second request for the same report comes while it is being built, and builds it again.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Reports {
  built = 0;
  readonly cache = new Map<string, number>();
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async total(name: string): Promise<number> {
    const known = this.cache.get(name);
    if (known !== undefined) return known;
    const total = await this.build(name);
    this.cache.set(name, total);
    return total;
  }

  async build(name: string): Promise<number> {
    const rows = (await readFile(join(this.dir, `${name}.csv`), 'utf8')).trim().split('\n');
    this.built += 1;
    return rows.reduce((sum, row) => sum + Number(row.split(',')[1]), 0);
  }
}

class SingleFlightReports extends Reports {
  readonly inFlight = new Map<string, Promise<number>>();

  override async total(name: string): Promise<number> {
    const known = this.cache.get(name);
    if (known !== undefined) return known;
    let building = this.inFlight.get(name);
    if (!building) {
      building = this.build(name);
      this.inFlight.set(name, building);
    }
    const total = await building;
    this.cache.set(name, total);
    this.inFlight.delete(name);
    return total;
  }
}

const withSales = async (reports: Reports): Promise<Reports> => {
  await writeFile(join(reports.dir, 'sales.csv'), 'north,10\nsouth,20\n');
  return reports;
};

twins<Reports>({
  name: 'cache-stampede',
  bad: ({ dir }) => withSales(new Reports(dir)),
  ok: ({ dir }) => withSales(new SingleFlightReports(dir)),
  tasks: {
    first: async (reports) => assert.equal(await reports.total('sales'), 30),
    second: async (reports) => {
      await sleep(80);
      assert.equal(await reports.total('sales'), 30);
    },
  },
  check: (reports) => assert.equal(reports.built, 1),
  expect: { pattern: 'RWW', entityMatch: 'sales' },
});
