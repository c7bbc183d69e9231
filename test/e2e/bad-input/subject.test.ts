/** The user's code cannot be analysed: exit code 3, and the report says why. */
import assert from 'node:assert/strict';
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
import {
  FLAKY,
  GOOD_HARNESS,
  GREEN,
  harnessFile,
  LEANING,
  RED,
  SYNTAX_ERROR,
  WRONG,
  WRONG_HARNESS,
} from './projects.ts';

const JSON_OUT = ['--max-schedules', '4', '--confirm', '1', '--json', 'out.json'];
const NODE_TEST = ['run', ...JSON_OUT, '--', 'node', '--test'];

/** Runs and returns every test's baseline; nothing but the report may be said. */
async function baselines(cwd: string, args: readonly string[], code: number) {
  const ended = await run(cwd, args);
  assert.deepEqual(complaints(ended), []);
  assertCalm(ended);
  assert.equal(ended.code, code, ended.out);
  const report = readReport(cwd);
  await assertNoOrphans(cwd);
  return { ended, report, told: Object.fromEntries(report.tests.map((each) => [each.name, each.baseline])) };
}

test('what is red, flaky or cannot be loaded is told with its error, and the others are analysed', async (t) => {
  const hook = `import { before } from 'node:test';\nbefore(() => { throw new Error('no database'); });\n`;
  const cwd = project(t, {
    'a.test.js': GREEN,
    'b.test.js': RED,
    'c.test.js': FLAKY,
    'd.test.js': SYNTAX_ERROR,
    'e.test.js': hook + GREEN.replaceAll('green', 'hooked'),
    'f.test.js': LEANING,
  });
  const { ended, told } = await baselines(cwd, NODE_TEST, 3);
  assert.deepEqual([told['green'], told['red'], told['flaky']], ['passed', 'red', 'flaky']);
  assert.match(ended.out, /› red — RED\s+fails without any forcing[^›]*AssertionError/);
  assert.match(ended.out, /› flaky — FLAKY\s+does not pass every time[^›]*AssertionError/);
  assert.match(ended.out, /› behind — LEANS ON OTHER TESTS\s+passes in the command, and neither[^›]*ENOENT/);
  assert.match(ended.out, /d\.test\.js — RED[^›]*SyntaxError/);
  assert.match(ended.out, /e\.test\.js|no database/);
});

test('a confirmed bug outranks a red test', async (t) => {
  const cwd = project(t, { 'a.test.js': WRONG, 'b.test.js': RED });
  const { told, report } = await baselines(cwd, NODE_TEST, 1);
  assert.deepEqual(told, { deposits: 'passed', red: 'red' });
  assert.equal(report.bugs.length, 1);
});

test('nothing but a syntax error', async (t) => {
  const cwd = project(t, { 'a.test.js': SYNTAX_ERROR });
  const { ended } = await baselines(cwd, NODE_TEST, 3);
  assert.match(ended.out, /SyntaxError/);
});

test('a harness file with a syntax error', async (t) => {
  const cwd = project(t, { 'a.js': `${GOOD_HARNESS}\nconst = 2;\n` });
  assertOneLine(await run(cwd, ['run', 'a.js']), 3, /a\.js.*SyntaxError/);
});

test('a harness without tasks', async (t) => {
  const cwd = project(t, { 'a.js': harnessFile(`name: 'empty', setup: () => ({}), tasks: {}, check() {}`) });
  assertOneLine(await run(cwd, ['run', 'a.js']), 3, /a\.js.*tasks/);
});

test('a harness whose setup throws; the others are run', async (t) => {
  const bad = harnessFile(
    `name: 'bad', setup: () => { throw new Error('no such table'); }, tasks: { async a() {}, async b() {} }, check() {}`,
  );
  const cwd = project(t, { 'h/bad.js': bad, 'h/wrong.js': WRONG_HARNESS });
  const { ended, told, report } = await baselines(cwd, ['run', ...JSON_OUT, 'h'], 1);
  assert.deepEqual(told, { bad: 'red', wrong: 'passed' });
  assert.match(ended.out, /setup of harness 'bad' failed:\s+no\s+such\s+table/);
  assert.equal(report.bugs.length, 1);
});

test('a program of which nothing was seen is blind, never clean', async (t) => {
  // A package that is not instrumented, over pipes that are older than the test, of whose ends nobody knows which belong together.
  const echo = `const { once } = require('node:events');
const net = require('node:net');
exports.open = async function () {
  const path = '\\\\0' + crypto.randomUUID();
  const server = net.createServer((socket) => socket.pipe(socket)).listen(path).unref();
  await once(server, 'listening');
  const client = net.connect(path);
  await once(client, 'connect');
  return [async () => { client.write('x'); await once(client, 'data'); }, () => client.destroy()];
};\n`;
  const calls = `import { after, test } from 'node:test';\nimport { open } from 'echo';
const [call, close] = await open();
const [callOther, closeOther] = await open();
after(close);
after(closeOther);
const one = async () => { await call(); };
const other = async () => { await callOther(); };
test('calls', () => Promise.all([one(), other()]));\n`;
  const cwd = project(t, { 'a.test.mjs': calls, 'node_modules/echo/index.js': echo });
  const { ended, report } = await baselines(cwd, NODE_TEST, 3);
  assert.deepEqual(
    report.tests.map(({ coverage }) => coverage),
    ['blind'],
  );
  assert.match(ended.out, /nothing was checked/);
});

test('a script that ends well and one that does not', async (t) => {
  const cwd = project(t, { 'ok.mjs': `await 1;\n`, 'bad.mjs': `await 1;\nprocess.exitCode = 4;\n` });
  const ok = await baselines(cwd, ['run', ...JSON_OUT, '--', 'node', 'ok.mjs'], 0);
  assert.deepEqual(ok.told, { 'ok.mjs': 'passed' });
  const bad = await baselines(cwd, ['run', ...JSON_OUT, '--', 'node', 'bad.mjs'], 3);
  assert.deepEqual(bad.told, { 'bad.mjs': 'red' });
});

test('a script with a syntax error, one that throws, one that is missing', async (t) => {
  const cwd = project(t, { 'syntax.mjs': 'const = 1;\n', 'throws.mjs': `throw new Error('no');\n` });
  for (const name of ['syntax', 'throws']) {
    const { ended, told } = await baselines(cwd, ['run', ...JSON_OUT, '--', 'node', `${name}.mjs`], 3);
    assert.deepEqual(told, { [`${name}.mjs`]: 'red' });
    assert.match(ended.out, name === 'syntax' ? /SyntaxError/ : /Error: no/);
  }
  const missing = await run(cwd, ['run', '--', 'node', 'none.mjs']);
  assertOneLine(missing, 3, /'node none\.mjs' exited with code 1 and ran no test case.*none\.mjs/);
});

test('npm test around node --test; nobody has asked for a witness', async (t) => {
  const cwd = project(t, {
    'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
    'a.test.js': WRONG,
  });
  const { ended, report } = await baselines(cwd, ['run', ...JSON_OUT, '--', 'npm', 'test'], 1);
  assert.deepEqual(
    report.bugs.map(({ witness }) => witness),
    [null],
  );
  assert.doesNotMatch(ended.out, /plain Node/);
});

test('npm test without a test script', async (t) => {
  const cwd = project(t);
  assertOneLine(
    await run(cwd, ['run', '--', 'npm', 'test']),
    3,
    /'npm test' exited with code \d+ and ran no/,
  );
});

test('a command that leaves a child behind: it ends with the command', async (t) => {
  const spawning = `import { spawn } from 'node:child_process';\nimport { test } from 'node:test';
spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached: false }).unref();
test('leaves a child', async () => {});\n`;
  const cwd = project(t, { 'a.test.js': spawning });
  const { told } = await baselines(cwd, NODE_TEST, 0);
  assert.deepEqual(told, { 'leaves a child': 'passed' });
});
