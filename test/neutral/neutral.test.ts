import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporary } from '../temporary.ts';
import { groupOf, type Row } from './row.ts';
import { scriptsIn, tryScript } from './scripts.ts';
import { differing, table } from './table.ts';

test('scripts are judged plainly and under the tool, with the options that they ask for', async () => {
  const folder = temporary('neutral-test');
  const sources = {
    'test-a-pass.mjs': '// Flags: --expose-gc\nif (!globalThis.gc) process.exitCode = 1;',
    'test-a-plain-fail.mjs': 'process.exitCode = 1;',
    'test-b-ours.mjs':
      "if (Object.getOwnPropertySymbols(globalThis).some((key) => String(key).includes('unweave'))) throw new Error('seen');",
  };
  try {
    for (const [name, source] of Object.entries(sources)) await writeFile(join(folder, name), source);
    const rows: Row[] = [];
    for (const file of await scriptsIn([folder]))
      rows.push(await tryScript(file, 1, ['--max-schedules', '0'], 60_000));
    assert.deepEqual(
      rows.map(({ group, name, plain, here }) => [group, name, plain, here]),
      [
        ['a', 'test-a-pass.mjs', 'passed', 'passed'],
        ['a', 'test-a-plain-fail.mjs', 'failed', 'not run'],
        ['b', 'test-b-ours.mjs', 'passed', 'red'],
      ],
    );
    assert.deepEqual(differing(rows), ['red      test-b-ours.mjs: Error: seen']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('the table counts what passes plainly, by group', () => {
  const row = (group: string, here: Row['here']): Row => ({
    ...{ group, name: 'x', plain: 'passed', here, cause: '', took: { plain: 1, here: 1 } },
  });
  const lines = table([row('fs', 'passed'), row('fs', 'red'), row('net', 'finding')]).split('\n');
  assert.deepEqual(
    lines.map((line) => line.split(/ {2,}/).slice(0, 5)),
    [
      ['group', 'scripts', 'pass plainly', 'passed here', 'red here'],
      ['fs', '2', '2', '1', '1'],
      ['net', '1', '1', '0', '0'],
      ['all', '3', '3', '1', '1'],
    ],
  );
  assert.equal(groupOf('test-child-process-exec.js'), 'child');
  assert.equal(groupOf('bank.mjs'), 'bank');
});
