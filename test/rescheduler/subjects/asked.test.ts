import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Seen } from '../../../monitor/loader/seen.ts';
import { unmatched } from '../../../rescheduler/subjects/asked.ts';

const seen = (more: Partial<Seen>): Seen => ({ matched: [], packages: [], unseen: [], project: [], ...more });

test('what was asked for and is not there is named, with what may have been meant', () => {
  const told = [seen({ matched: ['src/**'] }), seen({ packages: ['node-json-db', 'atomically'] })];
  const rows: [string[], RegExp | null][] = [
    [['src/**'], null],
    [['installed'], null],
    [
      ['src/**', 'node-json-bd'],
      /'node-json-bd' matched nothing that was loaded: did you mean 'node-json-db'/,
    ],
    [['quite-other'], /packages that were loaded: atomically, node-json-db$/],
  ];
  for (const [asked, line] of rows) {
    const said = unmatched(asked, told, '/nowhere', (name) => name === 'installed');
    if (line === null) assert.equal(said, null);
    else assert.match(said ?? '', line);
  }
  assert.match(unmatched(['x'], [], '/nowhere') ?? '', /no package was loaded/);
});
