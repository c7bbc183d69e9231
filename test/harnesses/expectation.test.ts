import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Expectation } from '../../harnesses/api.ts';
import { type Finding, mismatch } from '../../harnesses/expectation.ts';

const lost: Finding = { kind: 'assertion', pattern: 'RWW', entity: 'Account#balance' };
const hung: Finding = { kind: 'deadlock', pattern: null, entity: null };

const table: [string, Expectation, Finding, RegExp | null][] = [
  [
    'a bug where none was expected',
    { bug: false },
    lost,
    /^no bug was expected, found RWW on Account#balance$/,
  ],
  ['the expected bug', { bug: true, pattern: 'RWW', entity: 'Account#balance' }, lost, null],
  ['one of several patterns', { bug: true, pattern: ['WRW', 'RWW'] }, lost, null],
  [
    'another pattern',
    { bug: true, pattern: ['WRW', 'RWR'] },
    lost,
    /^pattern WRW or RWR was expected, found RWW$/,
  ],
  ['no pattern', { bug: true, pattern: 'RWW' }, hung, /^pattern RWW was expected, found null$/],
  ['another entity', { bug: true, entity: 'Account#id' }, lost, /^entity Account#id was expected/],
  ['a matching entity', { bug: true, entityMatch: '#balance$' }, lost, null],
  [
    'an entity that does not match',
    { bug: true, entityMatch: '^fs:' },
    lost,
    /^an entity like \/\^fs:\/ was/,
  ],
  ['no entity', { bug: true, entityMatch: '.' }, hung, /^an entity like/],
  ['the expected deadlock', { bug: true, deadlock: true }, hung, null],
  ['something else than a deadlock', { bug: true, deadlock: true }, lost, /^a deadlock was expected, found/],
];

for (const [what, expect, finding, answer] of table)
  it(`judges ${what}`, () => {
    const said = mismatch(expect, finding);
    if (answer === null) assert.equal(said, null);
    else assert.match(String(said), answer);
  });
