import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Measured } from '../../bench/table1/measure.ts';
import { cellsOf, linesIn, markdown } from '../../bench/table1/render.ts';
import { ROWS } from '../../bench/table1/rows.ts';
import { loadRegistered } from '../../harnesses/load.ts';

describe('the table of the paper', () => {
  it('has a harness for each row, and a repaired twin for each one with a bug', async () => {
    const files = new Map<string, Set<string>>();
    for (const { file } of ROWS) {
      if (files.has(file)) continue;
      const { tasks, threads } = await loadRegistered(new URL(`../../harnesses/${file}`, import.meta.url));
      files.set(file, new Set([...tasks, ...threads].map(({ name }) => name)));
    }
    for (const { file, name } of ROWS)
      for (const each of [name, name.replace(/bad$/, 'ok')])
        assert.ok(files.get(file)!.has(each), `${file}: ${each}`);
  });

  it('has the rows of the paper', () => {
    const count = (application: string) => ROWS.filter((row) => row.application === application).length;
    const applications = ['elevator', 'tsp', 'vector', 'stack', 'raytracer', 'colt', 'pool', 'ftpserver'];
    assert.deepEqual(applications.map(count), [3, 2, 5, 5, 4, 1, 4, 5]);
  });

  it('is Markdown with a cell for each head', () => {
    const measured: Measured = {
      ...{ note: null, threads: 2, entities: 12, locks: 2, events: 51_000, monitorMs: 2300, switches: 1 },
      ...{
        predicted: 4,
        undecided: 3,
        predictMs: 11,
        bugs: [{ what: 'RWR `source.elementCount`', after: 1 }],
      },
      tried: { seen: 0, infeasible: 1, feasible: 3, switches: 2.4, ms: 94, errors: 1 },
    };
    const row = ROWS.find(({ name }) => name === 'vector addAll/bad')!;
    assert.deepEqual(
      cellsOf({ row, measured, twin: { ...measured, tried: { ...measured.tried, errors: 0 } } }),
      [
        ...[
          'vector',
          'addAll',
          '2',
          '12',
          '2',
          '51,000',
          '2.3 s',
          '1',
          '4 + 3?',
          '11 ms',
          '0 / 1 / 3',
          '2',
          '94 ms',
        ],
        ...['1', 'RWR `source.elementCount` (1)', 'silent', row.paper],
      ],
    );
    const cells = cellsOf({ row, measured, twin: null });
    const text = markdown([cells], 'v24');
    assert.deepEqual(linesIn(text).get('vector addAll'), cells);
    const table = text.split('\n').filter((each) => each.startsWith('|'));
    assert.equal(new Set(table.map((each) => each.split('|').length)).size, 1);
    assert.equal(table.length, 3);
  });
});
