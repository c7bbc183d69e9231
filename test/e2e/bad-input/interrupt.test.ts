/** SIGINT: what was found is kept and printed, nobody stays behind, and the next command goes on. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store, StoreError } from '../../../data/store/index.ts';
import {
  assertCalm,
  assertNoOrphans,
  complaints,
  project,
  readReport,
  run,
  start,
} from '../batch/command.ts';
import { GREEN, WRONG } from './projects.ts';

/** Looks into the store while it is being written; a store that is not there yet has nothing. */
function look<T>(cwd: string, at: (store: Store) => T, none: T): T {
  try {
    using store = openStore(join(cwd, '.unweave', 'trace.db'), { readonly: true });
    return at(store);
  } catch (error) {
    if (error instanceof StoreError) return none;
    throw error;
  }
}

/** A case whose orders take long to force: the bug is found early and much is left. */
const SLOW = WRONG.replaceAll('deposits', 'slow').replace(
  'await readFile',
  'const end = Date.now() + 40; while (Date.now() < end); await readFile',
);

test('in the middle of forcing: the bug that was found is told, exit code 1', async (t) => {
  const cwd = project(t, { 'a.test.js': WRONG, 'b.test.js': SLOW });
  const args = [
    'run',
    '--jobs',
    '1',
    '--max-schedules',
    '5000',
    '--json',
    'out.json',
    '--',
    'node',
    '--test',
  ];
  const { child, ended } = start(cwd, args);
  while (child.exitCode === null && look(cwd, (store) => store.bugs().length, 0) < 1) await sleep(20);
  child.kill('SIGINT');
  const end = await ended;
  assert.equal(end.code, 1, end.err);
  assertCalm(end);
  assert.deepEqual(complaints(end), []);
  assert.match(end.out, /AssertionError/);
  assert.match(end.out, /stopped early: interrupted/);
  await assertNoOrphans(cwd);
  const first = readReport(cwd);
  assert.ok(first.bugs.length >= 1);
  const again = await run(cwd, [
    'run',
    '--max-schedules',
    '5',
    '--confirm',
    '1',
    '--json',
    'out.json',
    '--',
    'node',
    '--test',
  ]);
  assert.equal(again.code, 1, again.err);
  const ids = readReport(cwd).bugs.map(({ test }) => test);
  assert.deepEqual(ids.sort(), ['a.test.js:deposits', 'b.test.js:slow']);
  assert.deepEqual(readReport(cwd).bugs[0]!.id, first.bugs[0]!.id);
});

test('while the command runs for the first time: nothing found, 130', async (t) => {
  const cwd = project(t, {
    'a.test.js': `${GREEN}\nwriteFileSync('started', '');\ntest('hangs', () => new Promise(() => setInterval(() => {}, 1000)));\n`,
  });
  const { child, ended } = start(cwd, ['run', '--', 'node', '--test']);
  while (child.exitCode === null && !existsSync(join(cwd, 'started'))) await sleep(20);
  child.kill('SIGINT');
  const end = await ended;
  assert.equal(end.code, 130, end.err);
  assertCalm(end);
  assert.match(end.out, /stopped early: interrupted/);
  await assertNoOrphans(cwd);
});

test('a second SIGINT ends at once', async (t) => {
  const cwd = project(t, { 'a.test.js': WRONG });
  const { child, ended } = start(cwd, ['run', '--', 'node', '--test']);
  while (child.exitCode === null && look(cwd, () => true, false) === false) await sleep(20);
  child.kill('SIGINT');
  child.kill('SIGINT');
  const end = await ended;
  assert.equal(end.code, 130);
  assertCalm(end);
  await assertNoOrphans(cwd);
});
