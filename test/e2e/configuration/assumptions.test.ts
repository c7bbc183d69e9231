/** What fails only under an assumption is told apart: never without it, and never as a bug that counts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertNoOrphans, project, readReport, run } from './support.ts';

const HEAD = `import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
`;

/** A stub whose promises settle within the turn: microtask order is fixed, so no order breaks its users. */
const DB = `const rows = new Map();
export const db = {
  async get(key) { return rows.get(key) ?? 0; },
  set: (key, value) => { rows.set(key, value); return Promise.resolve(); },
};
`;
const ADDS = `${HEAD}import { db } from '../src/db.js';
const add = async (n) => { await db.set('n', (await db.get('n')) + n); };
test('adds', async () => {
  await db.set('n', 0);
  await Promise.all([add(1), sleep(20).then(() => add(2))]);
  assert.equal(await db.get('n'), 3);
});
let count = 0;
const bump = async (n) => {
  const before = count;
  await db.get('n');
  await readFile('package.json');
  count = before + n;
};
test('bumps', async () => {
  count = 0;
  await Promise.all([bump(1), sleep(20).then(() => bump(2))]);
  assert.equal(count, 3);
});
`;
/** Its process stays until its time is over: that is no longer than it has to be beyond --max-stall. */
const LIMIT = `${HEAD}test('within two seconds', () => Promise.race([
  readFile('package.json'),
  sleep(2000).then(() => { throw new Error('too late'); }),
]));
`;

const FEW = ['run', '--max-schedules', '6', '--confirm', '1', '--json', 'out.json'];
const COMMAND = ['--', 'node', '--test'];

test('an in-memory stub: silent as it is, conditional where its calls are taken for I/O', async (t) => {
  const cwd = project(t, { 'src/db.js': DB, 'test/adds.test.js': ADDS });
  const plain = await run(cwd, [...FEW, ...COMMAND, '--test-name-pattern=adds']);
  assert.equal(plain.code, 0, plain.err);
  assert.deepEqual(readReport(cwd).bugs, []);
  const assumed = await run(cwd, [
    ...FEW,
    '--assume-io',
    'src/db.js',
    ...COMMAND,
    '--test-name-pattern=adds',
  ]);
  assert.equal(assumed.code, 0, assumed.err);
  const { bugs, tests } = readReport(cwd);
  assert.equal(bugs.length, 1);
  assert.match(bugs[0]!.conditional ?? '', /calls of `\w+` complete like host requests \(--assume-io\)/);
  assert.equal(bugs[0]!.entity, 'Map@src/db.js:1[n]');
  assert.ok(tests[0]!.verdicts.conditional > 0);
  assert.equal(tests[0]!.verdicts.confirmed, 0);
  assert.match(assumed.out, /^\? /m);
  assert.match(assumed.out, /no bug confirmed in 1 test · 1 conditional/);
  const again = await run(cwd, ['replay', bugs[0]!.id]);
  assert.equal(again.code, 1, again.out);
  await assertNoOrphans(cwd);
});

test('a bug that needs no assumption stays a bug, also where one is made', async (t) => {
  const cwd = project(t, {
    'src/db.js': DB,
    'test/adds.test.js': ADDS,
    'unweave.config.json': '{ "assumeIo": ["src/*.js#get"] }',
  });
  const ended = await run(cwd, [...FEW, ...COMMAND, '--test-name-pattern=bumps']);
  assert.equal(ended.code, 1, ended.err);
  assert.deepEqual(
    readReport(cwd).bugs.map(({ conditional }) => conditional),
    [null],
  );
});

test('an answer later than the limit: not tried, or conditional where it is assumed', async (t) => {
  const cwd = project(t, { 'a.test.js': LIMIT });
  const plain = await run(cwd, [...FEW, ...COMMAND]);
  assert.equal(plain.code, 0, plain.err);
  assert.deepEqual(readReport(cwd).bugs, []);
  const assumed = await run(cwd, [...FEW, '--max-schedules', '60', '--assume-stall', '3000', ...COMMAND]);
  assert.equal(assumed.code, 0, assumed.err);
  const { bugs } = readReport(cwd);
  assert.match(bugs[0]?.conditional ?? '', /is 20\d\d ms late, beyond --max-stall \(1000 ms\)/);
  assert.ok(bugs[0]!.requiredStallMs >= 2000);
  assert.equal((await run(cwd, ['replay', bugs[0]!.id])).code, 1);
});

test('where calls take time and the natural order fails, that is said', async (t) => {
  const hasty = `${HEAD}import { db } from '../src/db.js';
test('at once', async () => {
  let seen = null;
  db.get('n').then((value) => (seen = value));
  await null; await null; await null;
  assert.equal(seen, 0);
});
`;
  const cwd = project(t, { 'src/db.js': DB, 'test/hasty.test.js': hasty });
  const ended = await run(cwd, [...FEW, '--assume-io', 'src/db.js', ...COMMAND]);
  assert.equal(ended.code, 3, ended.err);
  assert.match(ended.out, /calls\s+named\s+by\s+--assume-io\s+take\s+time:\s+AssertionError/);
});
