/**
 * Exports that append rows to one table in memory, through p-limit.
 * Bad: a limit of two keeps the disk quiet but lets two exports work on the same rows. RWW. Ok: a limit of one.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { twins } from '../lib/twins.ts';

class ExportTable {
  rows: readonly string[] = [];
  readonly dir: string;
  readonly limit: LimitFunction;

  constructor(dir: string, limit: LimitFunction) {
    this.dir = dir;
    this.limit = limit;
  }

  add(source: string): Promise<void> {
    return this.limit(() => this.append(source));
  }

  async append(source: string): Promise<void> {
    const rows = this.rows;
    const row = await readFile(join(this.dir, source), 'utf8');
    this.rows = [...rows, row];
  }
}

const withSources = async (table: ExportTable): Promise<ExportTable> => {
  await writeFile(join(table.dir, 'north.csv'), 'north,10');
  await writeFile(join(table.dir, 'south.csv'), 'south,20');
  return table;
};

twins<ExportTable>({
  name: 'limited-exports',
  bad: ({ dir }) => withSources(new ExportTable(dir, pLimit(2))),
  ok: ({ dir }) => withSources(new ExportTable(dir, pLimit(1))),
  tasks: {
    north: (table) => table.add('north.csv'),
    south: async (table) => {
      await sleep(80);
      await table.add('south.csv');
    },
  },
  check: ({ rows }) => assert.deepEqual(rows.toSorted(), ['north,10', 'south,20']),
  expect: { pattern: 'RWW', entity: 'ExportTable#rows' },
});
