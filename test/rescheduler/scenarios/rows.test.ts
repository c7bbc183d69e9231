/** What is told of outcomes beside each other is what differs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CanonicalOutcome, CanonicalResult, SerialOutcome } from '../../../data/scenario.ts';
import { scenario } from '../../../harnesses/api.ts';
import { canonical, canonicalError, shown } from '../../../rescheduler/scenarios/canonical.ts';
import { folded, type Samples } from '../../../rescheduler/scenarios/fold.ts';
import { outcomeRows } from '../../../rescheduler/scenarios/rows.ts';
import { verdictOf } from '../../../rescheduler/scenarios/verdict.ts';

const told = (...rows: readonly (readonly unknown[])[]): string[] =>
  folded(rows.map((samples) => samples.map((value) => canonical(value)) as unknown as Samples)).map(shown);
const one = (...values: readonly unknown[]): string[] => told(...values.map((value) => [value]));

class Session {
  readonly user: string;
  readonly seen = 1;
  constructor(user: string) {
    this.user = user;
  }
}

const long = (within: string): string => `${'a'.repeat(400)}<${within}>${'b'.repeat(400)}`;

const ROWS: readonly (readonly [string, string[], string[]])[] = [
  ['equal properties', one({ a: 1, b: 2, c: 3 }, { a: 1, b: 5, c: 3 }), ['{ b: 2, … }', '{ b: 5, … }']],
  ['nothing equal', one({ a: 1 }, { a: 2 }), ['{ a: 1 }', '{ a: 2 }']],
  ['a property that is not there', one({ a: 1, b: 1 }, { a: 1 }), ['{ b: 1, … }', '{ … }']],
  [
    'inner parts',
    one({ a: { b: [1, 2, 3] } }, { a: { b: [1, 2, 4] } }),
    ['{ a: { b: […, 3] } }', '{ a: { b: […, 4] } }'],
  ],
  ['lists of other lengths', one([1, 2, 3], [1, 3]), ['[…, 2, …]', '[…, …]']],
  [
    'long texts',
    one(long('x'), long('yy')),
    [`"…${'a'.repeat(11)}<x>${'b'.repeat(11)}…"`, `"…${'a'.repeat(11)}<yy>${'b'.repeat(11)}…"`],
  ],
  ['short texts', one('ann', 'anna'), ['"ann"', '"anna"']],
  [
    'the class',
    one(new Session('ann'), new Session('cas')),
    ['Session { user: "ann", … }', 'Session { user: "cas", … }'],
  ],
  ['dates', one(new Date(0), new Date(1)), ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.001Z']],
  ['errors', one(new Error('a'), new Error('b')), ['Error: a', 'Error: b']],
  [
    'maps',
    one(
      new Map([
        ['a', 1],
        ['b', 1],
      ]),
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
    ),
    ['Map […, […, 1]]', 'Map […, […, 2]]'],
  ],
  ['other kinds', one({ a: 1 }, null), ['{ a: 1 }', 'null']],
  [
    'what may be anything',
    told(
      [{ id: 'x', n: 1 }],
      [
        { id: 'y', n: 2 },
        { id: 'z', n: 2 },
      ],
    ),
    ['{ n: 1, … }', '{ n: 2, … }'],
  ],
  [
    'what may have any form',
    told(
      [{ id: [1], n: 1 }],
      [
        { id: 2, n: 2 },
        { id: 'z', n: 2 },
      ],
    ),
    ['{ n: 1, … }', '{ n: 2, … }'],
  ],
];

for (const [what, got, wanted] of ROWS) test(`folded: ${what}`, () => assert.deepEqual(got, wanted));

const gives = (value: unknown): CanonicalResult => ({ value: canonical(value) });
const outcome = (results: readonly CanonicalResult[], then: unknown): CanonicalOutcome => ({
  results,
  then: canonical(then),
});

test('a difference behind much that is equal is told, and what is equal once', () => {
  const names = Array.from({ length: 200 }, (_, at) => `name ${at}`);
  const of = [0, 1];
  const { rows, alike } = outcomeRows(
    [
      { of, samples: [outcome([gives(1), gives(names)], { names, last: 'a' })] },
      { of, samples: [outcome([gives(1), gives(names)], { names, last: 'b' })] },
    ],
    ['add()', 'list()'],
  );
  assert.deepEqual(rows, ['then { last: "a", … }', 'then { last: "b", … }']);
  assert.match(alike, /^add\(\) gives 1; list\(\) gives \["name 0", /);
});

test('where nothing differs but how parts stand to each other the whole is told', () => {
  const samples = ['aaaaaa', 'bbbbbb'].map((id) => outcome([gives(id)], id));
  const { rows } = outcomeRows(
    [
      { of: [0], samples: [outcome([gives('cccccc')], 'dddddd')] },
      { of: [0], samples },
    ],
    ['make()'],
  );
  assert.deepEqual(rows, ['make() gives "cccccc"; then "dddddd"', 'make() gives "aaaaaa"; then "aaaaaa"']);
});

test('parts that the user masks are not told', () => {
  const rows = outcomeRows(
    [
      { of: [0], samples: [outcome([gives({ id: 1, n: 1 })], null)] },
      { of: [0], samples: [outcome([gives({ id: 2, n: 3 })], null)] },
    ],
    ['make()'],
    ['results.*.value.id'],
  ).rows;
  assert.deepEqual(rows, ['make() gives { n: 1, … }', 'make() gives { n: 3, … }']);
});

const calls = [
  { operation: 'make', args: [] },
  { operation: 'remove', args: [] },
];
const time = { refused: [], began: [0, 1], ended: [2, 3] };
const fails = (error: Error): CanonicalResult => ({ rejects: canonicalError(error) });
const enoent = Object.assign(new Error('no such file'), { code: 'ENOENT' });

function said(failed: CanonicalResult, refuses?: readonly string[], known = gives(1)): string {
  const spec = scenario({
    name: `refusals ${Math.random()}`,
    setup: () => ({}),
    operations: { make: { run() {}, ...(refuses && { refuses }) }, remove: { run() {} } },
  });
  const serial: SerialOutcome[] = [
    [0, 1],
    [1, 0],
  ].map((order) => ({
    order,
    rests: [],
    samples: [outcome([known, gives(2)], null)],
  }));
  const run = { outcome: outcome([failed, gives(2)], 'other'), ...time };
  return verdictOf({ spec, calls }, run, serial).error?.message ?? '';
}

test('a call that rejects as in no serial order may be refused, and how to say that is told', () => {
  const mark = (text: string): string =>
    text
      .split('\n')
      .find((line) => line.includes('refuses:'))
      ?.trim() ?? '';
  const say = 'if it is meant to be refused, and has changed nothing then, say so: make:';
  assert.equal(mark(said(fails(enoent))), `${say} { …, refuses: ['ENOENT'] }`);
  assert.equal(mark(said(fails(enoent), ['EBUSY'])), `${say} { …, refuses: ['EBUSY', 'ENOENT'] }`);
  assert.equal(mark(said(fails(new RangeError('too late')))), `${say} { …, refuses: ['RangeError'] }`);
  assert.equal(
    mark(said(fails(new Error('busy for 3 s')))),
    `${say} { …, refuses: ({ message }) => message.startsWith("busy for ") }`,
  );
  assert.equal(mark(said(fails(enoent), undefined, fails(enoent))), '');
  assert.equal(mark(said(gives(3))), '');
});
