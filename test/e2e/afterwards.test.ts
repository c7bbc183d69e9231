import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEW_ORDERS, project, readReport, run } from './batch/command.ts';

const JSON_OUT = ['--json', 'out.json', ...FEW_ORDERS];
const HEAD = `import { readFile } from 'node:fs/promises';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
let n = 0;
const add = async (by) => { const before = n; await readFile(import.meta.filename); n = before + by; };
`;

test('a rejection that a test leaves behind belongs to its file, as for the runner', async (t) => {
  const late = `test('late', async () => { await sleep(5); Promise.reject(new Error('left behind')); });\n`;
  const cwd = project(t, { 'a.test.js': HEAD + late });
  const ended = await run(cwd, ['run', ...JSON_OUT, '--', 'node', '--test']);
  assert.equal(ended.code, 3, ended.out);
  const told = Object.fromEntries(readReport(cwd).tests.map(({ name, baseline }) => [name, baseline]));
  assert.equal(told['a.test.js'], 'red', ended.out);
});

test('one that only another order leaves behind is a bug', async (t) => {
  const racy = `test('adds', async () => {
  await Promise.all([add(1), sleep(20).then(() => add(2))]);
  if (n !== 3) Promise.reject(new Error('lost'));
});\n`;
  const cwd = project(t, { 'a.test.js': HEAD + racy });
  const ended = await run(cwd, ['run', ...JSON_OUT, '--', 'node', '--test']);
  assert.equal(ended.code, 1, ended.out);
  assert.deepEqual(
    readReport(cwd).bugs.map(({ kind }) => kind),
    ['unhandled-rejection'],
  );
});

test('one that a hook handles in time is none', async (t) => {
  const handled = `let left;
afterEach(() => left.catch(() => {}));
test('handled', async () => { await Promise.all([add(1), add(2)]); left = Promise.reject(new Error('for the hook')); });\n`;
  const cwd = project(t, { 'a.test.js': HEAD + handled });
  const ended = await run(cwd, ['run', ...JSON_OUT, '--', 'node', '--test']);
  assert.equal(ended.code, 0, ended.out);
});

test('a turn behind the test counts as well, unless a hook may keep it from coming', async (t) => {
  const racy = `test('adds', async () => {
  await Promise.all([add(1), sleep(200).then(() => add(2))]);
  if (n !== 3) left = setTimeout(() => { throw new Error('lost'); }, 5);
});\n`;
  const json = [...JSON_OUT, '--max-schedules', '2'];
  const cwd = project(t, { 'a.test.js': `${HEAD}let left;\n${racy}` });
  const ended = await run(cwd, ['run', ...json, '--', 'node', '--test']);
  assert.equal(ended.code, 1, ended.out);
  assert.match(readReport(cwd).bugs[0]?.error ?? '', /lost/);
  const hook = 'afterEach(() => clearTimeout(left));\n';
  const hooked = project(t, { 'a.test.js': `${HEAD}let left;\n${hook}${racy}` });
  assert.equal((await run(hooked, ['run', ...json, '--', 'node', '--test'])).code, 0);
});

test('what a later turn leaves behind in the natural order is red, as plainly', async (t) => {
  const late = `test('late', async () => { await sleep(1); setTimeout(() => { throw new Error('left'); }, 5); });\n`;
  const cwd = project(t, { 'a.test.js': HEAD + late });
  const ended = await run(cwd, ['run', ...JSON_OUT, '--', 'node', '--test']);
  assert.equal(ended.code, 3, ended.out);
});
