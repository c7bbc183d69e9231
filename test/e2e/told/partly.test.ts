/** What a report says of an analysis that was cut short: what was executed, what was left, and no green mark. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../../data/store/index.ts';
import { WRONG } from '../bad-input/projects.ts';
import { project, readReport, run } from '../batch/command.ts';

/** Many orders and none fails: every operation has its own file, and what they share is only counted. */
const SAFE = `import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
let done = 0;
const step = async () => {
  const before = done;
  await readFile('package.json');
  if (done >= before) done += 1;
};
test('safe', async () => {
  await Promise.all([step(), step(), step()]);
  assert.equal(done, 3);
});
`;
const QUIET = `import { test } from 'node:test';
for (const name of ['a', 'b', 'c']) test(name, async () => { await new Promise(setImmediate); });
`;

const forced = (cwd: string, ...options: string[]) =>
  run(cwd, ['run', '--json', 'out.json', '--confirm', '1', ...options, '--', 'node', '--test']);

test('a budget: what was executed, what was left, a mark of its own', async (t) => {
  const cwd = project(t, { 'a.test.js': SAFE });
  const { code, out } = await forced(cwd, '--max-schedules', '1');
  assert.equal(code, 0);
  assert.match(out, /◐ a\.test\.js › safe — PARTLY ANALYSED: 1 /);
  assert.match(out, /1 forced run, none failed/);
  assert.match(out, /budget ended \(1 schedules?\): left: \d+ predicted orders? not forced/);
  assert.doesNotMatch(out, /✓|nothing found|no order of the other/);
  assert.match(out, /no bug confirmed in 1 test · 1 partly analysed/);
  const [told] = readReport(cwd).tests;
  assert.equal(told?.analysis, 'partly');
  assert.ok((told?.left ?? 0) > 0);
});

test('without a budget that ends it, the same test is complete', async (t) => {
  const cwd = project(t, { 'a.test.js': SAFE });
  const { code, out } = await forced(cwd);
  assert.equal(code, 0);
  assert.match(out, /✓ a\.test\.js › safe/);
  assert.doesNotMatch(out, /partly/i);
  const [told] = readReport(cwd).tests;
  assert.deepEqual([told?.analysis, told?.left], ['complete', 0]);
});

test('orders that nobody had the time to predict are left, whatever else was executed', async (t) => {
  const six = Array(6).fill('step()').join(', ');
  const text = SAFE.replace('step(), step(), step()', six).replace('done, 3', 'done, 6');
  const cwd = project(t, { 'a.test.js': text });
  await run(cwd, ['monitor', '--', 'node', '--test']);
  await run(cwd, ['predict']);
  const store = openStore(join(cwd, '.unweave/trace.db'), { cwd });
  for (const { id } of store.tests()) store.updateTest(id, { note: 'budget ended (prediction)' });
  store.close();
  const { out } = await run(cwd, ['reschedule']);
  assert.match(out, /◐ a\.test\.js › safe — PARTLY ANALYSED/);
  assert.match(out, /budget ended \(prediction\): some of the search was left/);
});

/** It fails in another order, each time with another error: no failure is ever repeated. */
const UNSTEADY = `import { randomBytes } from 'node:crypto';
const word = [...randomBytes(12)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');
${WRONG.replace('assert.equal(balance, 3)', 'if (balance !== 3) throw new Error(word)')}`;

test('no forced run could be judged: no green mark, exit code 3', async (t) => {
  const cwd = project(t, { 'a.test.js': UNSTEADY });
  const { code, out } = await forced(cwd, '--max-schedules', '1');
  assert.match(out, /! a\.test\.js › deposits — NOT JUDGED\n +1 forced run could not be judged: failed once/);
  assert.equal(code, 3);
  assert.equal(readReport(cwd).tests[0]?.analysis, 'none');
});

test('tests that have nothing to say are one line for a file; --verbose names each', async (t) => {
  const cwd = project(t, { 'a.test.js': QUIET });
  const { out } = await forced(cwd);
  assert.match(out, /✓ a\.test\.js {2}3 tests, one order each\n/);
  const all = await forced(cwd, '--verbose');
  for (const name of ['a', 'b', 'c']) assert.match(all.out, new RegExp(`✓ a\\.test\\.js › ${name} `));
});

test('--list estimates what is to be forced, and keeps what the last run found', async (t) => {
  const cwd = project(t, { 'a.test.js': QUIET, 'b.test.js': SAFE });
  await forced(cwd);
  const { code, out } = await run(cwd, [
    'run',
    '--list',
    '--max-time',
    '50',
    '--jobs',
    '1',
    '--',
    'node',
    '--test',
  ]);
  assert.equal(code, 0);
  const [, about, allowed] = /4 tests: about (\d+) s; the budgets allow (\d+) s\n$/.exec(out) ?? [];
  // One test of four has something to force: its budget, and the command twice.
  assert.ok(Number(about) <= Number(allowed) && Number(allowed) >= 50 && Number(allowed) < 80, out);
  const { out: kept } = await run(cwd, ['inspect']);
  assert.match(kept, /cut points?;/);
});
