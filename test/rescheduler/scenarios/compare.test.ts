import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Canonical } from '../../../data/scenario.ts';
import { differences } from '../../../rescheduler/scenarios/compare.ts';

const paths = (got: Canonical, samples: readonly Canonical[], masks: string[] = []): string[] =>
  differences(
    got,
    samples,
    masks.map((mask) => mask.split('.')),
  ).map((path) => path.join('.'));

const A = 'token-aaaa';
const B = 'token-bbbb';
const C = 'token-cccc';
const D = 'token-dddd';

const rows: readonly (readonly [string, Canonical, readonly Canonical[], readonly string[]])[] = [
  ['equal values', { a: [1, null] }, [{ a: [1, null] }], []],
  ['another leaf', { a: [1, 2] }, [{ a: [1, 3] }], ['a.1']],
  ['a property more', { a: 1, b: 2 }, [{ a: 1 }], ['b']],
  ['a property less', {}, [{ a: 1 }], ['a']],
  ['an element more', [1, 2], [[1]], ['1']],
  ['a list for an object', [], [{}], ['']],
  ['-0 for 0', { a: -0 }, [{ a: 0 }], ['a']],
  ['no number for a number', Number.NaN, [null], ['']],
  ['what differs between samples', { id: 3 }, [{ id: 1 }, { id: 2 }], []],
  ['a list of another length in each', { ids: [1, 2, 3] }, [{ ids: [1] }, { ids: [1, 2] }], []],
  [
    'what is the same in all samples',
    { id: 3, n: 2 },
    [
      { id: 1, n: 1 },
      { id: 2, n: 1 },
    ],
    ['n'],
  ],
  [
    'a name that comes twice, as in all',
    [A, A],
    [
      [B, B],
      [C, C],
    ],
    [],
  ],
  [
    'two names for one',
    [A, B],
    [
      [C, C],
      [D, D],
    ],
    [''],
  ],
  [
    'one name for two',
    [A, A],
    [
      [B, C],
      [C, D],
    ],
    [''],
  ],
  [
    'names that are equal in one sample',
    [A, A],
    [
      [B, C],
      [D, D],
    ],
    [],
  ],
  [
    'times that are equal here',
    [5, 5],
    [
      [1, 2],
      [3, 4],
    ],
    [],
  ],
  [
    'dates that are equal here',
    ['2026-01-01', '2026-01-01'],
    [
      ['2026-01-02', '2026-01-03'],
      ['2026-01-04', '2026-01-05'],
    ],
    [],
  ],
];

for (const [what, got, samples, expected] of rows)
  test(what, () => assert.deepEqual(paths(got, samples), expected));

test('parts that may be anything are named', () => {
  assert.deepEqual(paths({ then: { at: 1, n: 1 } }, [{ then: { at: 2, n: 1 } }], ['then.at']), []);
  assert.deepEqual(paths([{ id: 1 }, { id: 2 }], [[{ id: 3 }, { id: 4 }]], ['*.id']), []);
  assert.deepEqual(paths({ then: { at: 1, n: 1 } }, [{ then: { at: 2, n: 2 } }], ['then.at']), ['then.n']);
});
