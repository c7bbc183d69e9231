/** What Node's own runner overlooks or forgives, commands that hang, and places where nothing can be written. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import {
  assertCalm,
  assertNoOrphans,
  assertOneLine,
  complaints,
  project,
  readReport,
  run,
} from '../batch/command.ts';
import { GREEN, WRONG } from './projects.ts';

const JSON_OUT = ['--max-schedules', '2', '--confirm', '1', '--json', 'out.json'];
const TODO = `import { describe, it, test } from 'node:test';
const fail = () => { throw new Error('not yet'); };
test.todo('called so', fail);
test('by option', { todo: true }, fail);
test('while it runs', (t) => { t.todo('later'); fail(); });
describe('a suite', { todo: 'some day' }, () => { it('inside', fail); });
test('around', { todo: true }, (t) => t.test('sub', fail));
test.todo('one that passes', async () => {});
`;

test('a todo that fails is not red, as for the runner', async (t) => {
  const cwd = project(t, { 'a.test.js': TODO });
  const ended = await run(cwd, ['run', ...JSON_OUT, '--', 'node', '--test']);
  assert.equal(ended.code, 0, ended.out);
  assert.deepEqual(
    readReport(cwd).tests.map(({ name, baseline }) => [name, baseline]),
    [['one that passes', 'passed']],
  );
});

test('--test-isolation=none: files that do not load are told, which Node itself does not do', async (t) => {
  const cwd = project(t, {
    'a.test.js': GREEN,
    'b.test.js': `${GREEN.replaceAll('green', 'before')}throw new Error('no database');\n`,
    'c.test.js': 'const = 1;\n',
  });
  const ended = await run(cwd, ['run', ...JSON_OUT, '--', 'node', '--test', '--test-isolation=none']);
  assert.equal(ended.code, 3, ended.out);
  const red = readReport(cwd).tests.flatMap(({ file, baseline }) => (baseline === 'red' ? [file] : []));
  assert.deepEqual(red.sort(), ['b.test.js', 'c.test.js']);
  assert.match(ended.out, /no\s+database/);
  assert.match(ended.out, /SyntaxError/);
});

test('a file that does not end costs itself alone, and the others are told', async (t) => {
  const hangs = `import { test } from 'node:test';
test('first', () => {});
test('hangs', () => new Promise(() => setInterval(() => {}, 1000)));
`;
  const cwd = project(t, { 'a.test.js': GREEN, 'b.test.js': hangs, 'c.test.js': WRONG });
  const ended = await run(cwd, ['run', ...JSON_OUT, '--command-timeout', '6', '--', 'node', '--test']);
  assert.equal(ended.code, 1, ended.out);
  const told = Object.fromEntries(readReport(cwd).tests.map(({ name, baseline }) => [name, baseline]));
  assert.deepEqual(told, { green: 'passed', first: 'passed', deposits: 'passed', 'b.test.js': 'red' });
  assert.match(
    ended.out.replace(/\s+/g, ' '),
    /it did not end in 'hangs' and was killed after 6 s .* --command-timeout/,
  );
  await assertNoOrphans(cwd);
});

test('a named pipe of which the program opens both ends: the command is given up, and the file is named', async (t) => {
  const both = `import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
test('both ends', () => Promise.all([readFile('pipe'), writeFile('pipe', 'x')]));
`;
  const cwd = project(t, { 'b.test.js': both });
  execFileSync('mkfifo', ['pipe'], { cwd });
  // Node itself has two threads of the pool wait for each other.
  execFileSync(process.execPath, ['--test'], { cwd, env: {} });
  const ended = await run(cwd, ['run', '--command-timeout', '4', '--', 'node', '--test']);
  assert.equal(ended.code, 3, ended.out);
  assert.match(
    ended.out.replace(/\s+/g, ' '),
    /it did not end in 'both ends' and was killed .* --command-timeout/,
  );
  await assertNoOrphans(cwd);
});

test('a command that takes longer than the silence allowed, but says something, goes on', async (t) => {
  const slow = `for (let i = 0; i < 12; i++) { console.log(i); await new Promise((go) => setTimeout(go, 400)); }\n`;
  const cwd = project(t, { 'slow.js': slow });
  const ended = await run(cwd, ['run', ...JSON_OUT, '--command-timeout', '4', '--', 'node', 'slow.js']);
  assert.equal(ended.code, 0, ended.err);
});

const nowhere = existsSync('/proc/self') ? '/proc/none' : '/dev/null';

test('a store where no folder can be made', async (t) => {
  const cwd = project(t, { 'a.test.js': GREEN });
  const ended = await run(cwd, ['run', '--store', `${nowhere}/x/trace.db`, '--', 'node', '--test']);
  assertOneLine(ended, 2, /trace\.db: cannot be created/);
});

test('a JSON report that cannot be written costs nothing but itself', async (t) => {
  const cwd = project(t, { 'a.test.js': WRONG });
  const at = [...JSON_OUT, '--json', `${nowhere}/x/out.json`];
  const ended = await run(cwd, ['run', ...at, '--', 'node', '--test']);
  assert.equal(ended.code, 2, ended.err);
  assertCalm(ended);
  assert.match(complaints(ended)[0] ?? '', /out\.json: cannot be written/);
  assert.match(ended.out, /1 bug in 1 of 1 test/);
});
