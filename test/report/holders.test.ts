/** What has no name of its own is called by what it was given to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withHolders } from '../../report/holders.ts';

/** The name as it is told, where the line on which it was made reads so. */
const told = (line: string, name = 'Map@src/a.ts:5[p1]'): string =>
  withHolders(`\`${name}\` was read`, () => ['', '', '', '', line].join('\n'));

test('a field, a variable and a key of an object give their names', () => {
  for (const [line, name] of [
    ['  status = new Map();', 'status[p1]'],
    ['    this.status = new Map<string, number>();', 'status[p1]'],
    ['  #entries = new Map();', '#entries[p1]'],
    ['const rows: Map<string, Row> = new Map();', 'rows[p1]'],
    ['  cache: new Map(),', 'cache[p1]'],
  ] as const)
    assert.equal(told(line), `\`${name}\` was read`);
  assert.equal(told('  #waiting = [];', 'Array@src/a.ts:5#length'), '`#waiting.length` was read');
  assert.equal(
    told('const account = { balance: 0 };', 'Object@src/a.ts:5#balance'),
    '`account.balance` was read',
  );
});

test('where the line says no name, or several, the place remains', () => {
  for (const line of ['  return new Map();', 'add(new Map());', 'const a = [], b = [];', ''])
    assert.equal(told(line), '`Map@src/a.ts:5[p1]` was read');
  assert.equal(
    withHolders('`Account#balance` was read', () => ''),
    '`Account#balance` was read',
  );
  assert.equal(
    withHolders('`Map@src/a.ts:5[p1]` was read', () => null),
    '`Map@src/a.ts:5[p1]` was read',
  );
});
