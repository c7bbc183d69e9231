/** A bug that is found with a row of the host and missed without it, for every row. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { missedWithout, ROWS, rowsOf, USES, type Use } from './missed.ts';
import { closeSockets } from './necessity.ts';
import { Directories } from './support.ts';

const directories = new Directories();
after(() => {
  directories.remove();
  closeSockets();
});

/** What the host asks the controller about by a name of its own. */
function asked(): string[] {
  const host = new URL('../../../monitor/host/', import.meta.url);
  const sources = fs
    .readdirSync(host, { recursive: true, encoding: 'utf8' })
    .filter((f) => f.endsWith('.ts'));
  const text = sources.map((file) => fs.readFileSync(new URL(file, host), 'utf8')).join('');
  return [...text.matchAll(/\.active\('([^']+)'\)/g)].map(([, row]) => row as string);
}

/** Questions to name servers: their kind is chosen by the number. */
const KINDS = 14;
const uses: Use[] = Object.keys(USES).flatMap((operation) =>
  Array.from({ length: /\.resolve$/.test(operation) ? KINDS : 1 }, (_, i) => ({ operation, n: i + 1 })),
);
const byRow = new Map<string, Use[]>();

describe('missed when the row is off', () => {
  before(async () => {
    for (const use of uses)
      for (const row of await rowsOf(use, directories)) byRow.set(row, [...(byRow.get(row) ?? []), use]);
  });
  for (const row of ROWS)
    it(row, async () => {
      for (const use of byRow.get(row) ?? [])
        if ((await missedWithout(row, use, directories)).length > 0) return;
      assert.fail(`none of ${JSON.stringify(byRow.get(row))} finds an order that is missed without it`);
    });

  it('there are no other rows', () => {
    for (const row of asked()) assert.ok(ROWS.includes(row), row);
    assert.deepEqual(
      [...byRow.keys()].filter((row) => !ROWS.includes(row)),
      [],
    );
  });
});
